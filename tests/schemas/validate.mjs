// SPDX-License-Identifier: GPL-3.0-or-later
// node validate.mjs SCHEMA FILE...: exit status 1 where a file does not follow the JSON schema (draft 4), naming the places.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';

const [schema, ...files] = process.argv.slice(2);
// A pattern of SARIF's schema is none with the flag "u".
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
addFormats(ajv);
const validate = ajv.compile(JSON.parse(readFileSync(schema, 'utf8')));
for (const file of files) {
  if (validate(JSON.parse(readFileSync(file, 'utf8')))) {
    console.log(`${file} validates`);
    continue;
  }
  process.exitCode = 1;
  for (const error of validate.errors) {
    console.error(`${file}: ${error.instancePath || '/'} ${error.message}`);
  }
}
