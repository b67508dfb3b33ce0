import type { Router } from 'express'
import type { z } from 'zod'
import type { Access } from '../access.ts'
import type { IsSigned } from '../admission/unsigned-requests.ts'
import type { MountedEndpoint } from '../endpoint.ts'

/** What the document states about an API call that an area declares with `route`. */
export type DeclaredCall = Omit<MountedEndpoint<Access>, 'handle'>

/**
 * What the document states about a call that `route` cannot mount: the call has no session, or its
 * body is not JSON.
 */
export interface DocumentedCall {
  readonly method: 'get' | 'post'
  readonly path: string
  readonly summary: string
  readonly tag: string
  /** The required headers with their descriptions. */
  readonly headers?: Readonly<Record<string, string>>
  /** The description of a body of any shape. */
  readonly anyBody?: string
  /** Default: JSON. */
  readonly bodyType?: string
  /** For a call that only its signer may make. */
  readonly isSigned?: IsSigned
  readonly answers: Readonly<
    Record<
      number,
      {
        readonly description: string
        readonly body: z.ZodType
        /** Default: JSON. */
        readonly contentType?: string
      }
    >
  >
}

/** A router, and the declarations of all its calls. */
export interface DocumentedRouter {
  readonly router: Router
  readonly calls: readonly DocumentedCall[]
}
