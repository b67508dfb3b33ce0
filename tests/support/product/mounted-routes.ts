import type { Express } from 'express'
import { z } from 'zod'

/** A layer of an Express router: a route, or a handler that `use` mounted. */
const layerSchema = z.object({
  /** Whether the layer is mounted without a path. */
  slash: z.boolean(),
  route: z.object({ path: z.string(), methods: z.record(z.string(), z.boolean()) }).optional(),
  handle: z.unknown(),
})
const routerSchema = z.custom<{ readonly stack: readonly unknown[] }>(
  (value) =>
    (typeof value === 'function' || typeof value === 'object') &&
    value !== null &&
    'stack' in value &&
    Array.isArray(value.stack),
)

export interface MountedRoute {
  /** In upper case. */
  readonly method: string
  readonly path: string
}

/**
 * The routes of an app, as Express has them. Leaves out routes of all methods, which refuse a
 * wrong method.
 * @throws Error for a router that is mounted under a path, because Express does not keep the path
 */
export function mountedRoutes({ router }: Pick<Express, 'router'>): readonly MountedRoute[] {
  return routesOf(routerSchema.parse(router).stack)
}

function routesOf(stack: readonly unknown[]): readonly MountedRoute[] {
  return stack.flatMap((entry) => {
    const { route, handle, slash } = layerSchema.parse(entry)
    if (route !== undefined)
      return Object.keys(route.methods)
        .filter((method) => method !== '_all')
        .map((method) => ({ method: method.toUpperCase(), path: route.path }))
    const router = routerSchema.safeParse(handle)
    if (!router.success) return []
    if (!slash) throw new Error('A router is mounted under a path. Mount it without a path.')
    return routesOf(router.data.stack)
  })
}
