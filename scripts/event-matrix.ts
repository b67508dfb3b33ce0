import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { eventsByCategory } from '#contracts/events/catalogue'
import { loadConsumers } from './event-matrix/load-consumers.ts'
import { renderMatrix } from './event-matrix/render-matrix.ts'

/*
 * `npm run event-matrix` writes docs/events.md: which consumer folds, ignores or does not concern
 * which event type. `--check`, a part of `npm run lint`, exits with 1 if the page differs.
 */

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const page = new URL('../docs/events.md', import.meta.url)
const text = renderMatrix(eventsByCategory, await loadConsumers())
const written = existsSync(page) ? readFileSync(page, 'utf8') : ''
if (!values.check) writeFileSync(page, text)
else if (written !== text) {
  console.error(
    `docs/events.md differs from the code. Run npm run event-matrix and read the difference.`,
  )
  process.exitCode = 1
}
