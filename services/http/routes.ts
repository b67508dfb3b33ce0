import type { z } from 'zod'
import type { Access } from './access.ts'
import type { Endpoint } from './endpoint.ts'

/** Declares one call of the API. */
export type DeclareRoute = <
  Declared extends Access,
  Body extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Params extends z.ZodType = z.ZodUnknown,
  Answer extends z.ZodType = z.ZodType,
>(
  endpoint: Endpoint<Declared, Body, Query, Params, Answer>,
) => void

/** Declares the API calls of one area. */
export type Routes = (route: DeclareRoute) => void
