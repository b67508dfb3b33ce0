import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
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
 */
export async function declaredEndpoints(): Promise<readonly AnyEndpoint[]> {
  const found: AnyEndpoint[] = []
  const declare: DeclareRoute = (endpoint) => void found.push(endpoint)
  for (const file of await routeFiles()) {
    const module = (await import(file)) as Record<string, unknown>
    for (const [name, declareArea] of Object.entries(module)) {
      if (name.endsWith('Routes') && typeof declareArea === 'function')
        (declareArea as (parts: object) => Routes)({})(declare)
    }
  }
  return found
}

async function routeFiles(): Promise<readonly string[]> {
  const entries = await readdir(services, { withFileTypes: true })
  const areas = entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(services, name))
  const files = await Promise.all(
    areas.map(async (area) => (await readdir(area)).map((file) => join(area, file))),
  )
  return files
    .flat()
    .filter((file) => file.endsWith('-routes.ts'))
    .sort()
}
