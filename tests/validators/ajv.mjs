// Compiles schemas with Ajv and validates values: as 2020-12 in strict mode, where a warning is a
// complaint, and as draft-07 without it, where what is valid must stay so.
//
// Reads a JSON list from stdin: each a name, a schema, and values that are valid or not. Prints a
// list of complaints.

import { text } from 'node:stream/consumers';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const complaints = [];

function validators(Dialect, strict, name) {
  const complain = (message) => complaints.push(`${name}: ${message}`);
  const logger = { log: complain, warn: complain, error: complain };
  return addFormats(new Dialect({ strict, logger, allErrors: true }));
}

for (const { name, schema, valid, invalid } of JSON.parse(await text(process.stdin))) {
  for (const [Dialect, strict, draft] of [[Ajv2020, true, '2020-12'], [Ajv, false, 'draft-07']]) {
    const place = `${name} as ${draft}`;
    try {
      const validate = validators(Dialect, strict, place).compile(schema);
      for (const value of valid) {
        if (!validate(value)) {
          const why = JSON.stringify(validate.errors);
          complaints.push(`${place}: refuses ${JSON.stringify(value)}: ${why}`);
        }
      }
      for (const value of draft === '2020-12' ? invalid : []) {
        if (validate(value)) complaints.push(`${place}: accepts ${JSON.stringify(value)}`);
      }
    } catch (error) {
      complaints.push(`${place}: ${error.message}`);
    }
  }
}
console.log(JSON.stringify(complaints));
