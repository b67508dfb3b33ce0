import express from 'express'
import type { DocumentedRouter } from './openapi/documented-call.ts'

/** Several routers as one. */
export function joinedRouters(parts: readonly DocumentedRouter[]): DocumentedRouter {
  const router = express.Router()
  for (const part of parts) router.use(part.router)
  return { router, calls: parts.flatMap(({ calls }) => calls) }
}
