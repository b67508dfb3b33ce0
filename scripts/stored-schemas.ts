import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { release } from '#services/foundation/release'
import {
  currentEventSchemas,
  eventSchemasFile,
  parseEventSchemas,
  refusedChanges,
  schemaChanges,
} from './stored-schemas/event-schemas.ts'

/*
 * `npm run stored-schemas` writes the schemas of stored events into a file, which Git compares.
 * `--check`, a part of `npm run lint`, prints the differences and exits with 1 if there are any.
 */

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const committed = existsSync(eventSchemasFile)
  ? parseEventSchemas(readFileSync(eventSchemasFile, 'utf8'))
  : {}
const changes = schemaChanges(committed)
const refused = values.check ? changes : refusedChanges(changes, release)
for (const { sentence } of refused) console.error(sentence)
if (refused.length > 0) process.exitCode = 1
else if (!values.check) {
  writeFileSync(eventSchemasFile, `${JSON.stringify(currentEventSchemas(committed), null, 2)}\n`)
  console.log(`Wrote ${eventSchemasFile}: ${changes.length} changes.`)
}
