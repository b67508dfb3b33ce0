import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { declaredConsumers, type DeclaredConsumer } from '#services/foundation/event-consumer'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Loads each file that declares a consumer, and returns all consumers. */
export async function loadConsumers(): Promise<readonly DeclaredConsumer[]> {
  const files = ['services', 'projections']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => /\beventConsumer\(\{/.test(readFileSync(file, 'utf8')))
  for (const file of files) await import(pathToFileURL(file).href)
  return declaredConsumers()
}
