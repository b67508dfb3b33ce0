import type { z } from 'zod'
import type { Access, RightFor } from './access.ts'
import type { Answer } from './answer.ts'
import type { Endpoint } from './endpoint.ts'

/** Declares one call of the API. */
export type DeclareRoute = <
  Declared extends Access,
  Body extends z.ZodType = z.ZodUnknown,
  Query extends z.ZodType = z.ZodUnknown,
  Params extends z.ZodType = z.ZodUnknown,
  Answered extends Answer = z.ZodType,
>(
  endpoint: Endpoint<Declared, Body, Query, Params, Answered> & RightFor<Declared>,
) => void

/** Declares the API calls of one area. */
export type Routes = (route: DeclareRoute) => void
