import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Access } from '#services/http/access'
import type { MountedEndpoint } from '#services/http/endpoint'
import type { DeclareRoute, Routes } from '#services/http/routes'

const services = join(import.meta.dirname, '../../../services')

/** An endpoint with any contracts. */
export type AnyEndpoint = MountedEndpoint<Access>

/** `GET /api/plans` */
export function nameOf({ method, path }: Pick<AnyEndpoint, 'method' | 'path'>): string {
  return `${method.toUpperCase()} ${path}`
}

/**
 * Every call that the areas declare, found by the naming rule: `services/<area>/…-routes.ts`
 * exports functions `…Routes`. An area uses its parts only in handlers, so this function passes
 * none.
 *
 * @throws Error if a file declares calls that the naming rule does not find
 */
export async function declaredEndpoints(): Promise<readonly AnyEndpoint[]> {
  const found: AnyEndpoint[] = []
  const declare: DeclareRoute = (endpoint) => void found.push(endpoint)
  for (const file of await routeFiles()) {
    const module = (await import(file)) as Record<string, unknown>
    const before = found.length
    for (const [name, declareArea] of Object.entries(module)) {
      if (name.endsWith('Routes') && typeof declareArea === 'function')
        (declareArea as (parts: object) => Routes)({})(declare)
    }
    if (found.length === before)
      throw new Error(
        `${basename(file)} declares no call in a function whose name ends in 'Routes'. The tests find calls by this name.`,
      )
  }
  return found
}

async function routeFiles(): Promise<readonly string[]> {
  const files = (await readdir(services, { recursive: true })).filter((file) =>
    /^[^/\\]+[/\\].+\.ts$/.test(file),
  )
  const found = files.filter((file) => /^[^/\\]+[/\\][^/\\]+-routes\.ts$/.test(file))
  for (const file of files) {
    // `start` composes the calls of the areas.
    if (found.includes(file) || /^start[/\\]/.test(file)) continue
    if ((await readFile(join(services, file), 'utf8')).includes("'#services/http/routes'"))
      throw new Error(
        `services/${file} declares calls. Name it services/<area>/…-routes.ts: the tests find calls by this name.`,
      )
  }
  return found.map((file) => join(services, file)).sort()
}
