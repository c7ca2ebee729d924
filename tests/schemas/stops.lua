-- An error with what XML cannot hold.
error('no \27 luck "<&>"')
