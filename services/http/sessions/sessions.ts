import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import { isUserId, type UserId } from '#contracts/ids'
import type { BaseSession } from './base-session.ts'
import { sessionKind, type SessionKind } from './session-kind.ts'
import type { SessionSettings } from './session-settings.ts'

export interface CustomerSession extends BaseSession {
  readonly userId: UserId | null
  /** Names the session in the customer's list. Null before the sign-in. */
  readonly handle: string | null
  /** The mark of this browser. Null before `mark`. */
  readonly browser: string | null
  /**
   * Gives this browser's session a random mark, and returns the mark. A later request of the
   * browser has the same mark until the session ends. The browser never learns the mark.
   */
  mark(): string
  /** The digest of the company profile that this browser saved before the sign-in. */
  readonly savedProfile: string | null
  noteSavedProfile(digest: string): void
}

export interface AdminSession extends BaseSession {
  readonly adminId: string | null
  /** As the customer's `browser` and `mark`. */
  readonly browser: string | null
  mark(): string
  /** Names the session. Null before the sign-in. */
  readonly handle: string | null
}

export interface Sessions {
  readonly middleware: readonly RequestHandler[]
  readonly cookieNames: Readonly<Record<SessionKind, string>>
  customerOf(request: Request): CustomerSession
  adminOf(request: Request): AdminSession
  /** The ids of the sessions in a `Cookie` header that this product has signed, without a query. */
  idsIn(header: string | undefined): readonly string[]
  /**
   * The answer of this request neither prolongs nor changes its sessions. For a database that does
   * not answer: otherwise the answer would wait for it again.
   */
  leave(request: Request): void
  /** Ends the timers that delete expired sessions. Call it before the pool ends. */
  close(): void
}

/** Writes a random mark into the session, once. */
function markOf(data: { browser?: string }): () => string {
  return () => (data.browser ??= randomBytes(16).toString('hex'))
}

/**
 * A request has two sessions, in two cookies. A sign-in to one session does not end the other.
 * express-session supports one session per request, so each session has a separate view of the
 * request.
 */
export function createSessions(settings: SessionSettings): Sessions {
  const customer = sessionKind('customer', settings)
  const admin = sessionKind('admin', settings)
  return {
    middleware: [customer.middleware, admin.middleware],
    cookieNames: { customer: customer.cookieName, admin: admin.cookieName },
    customerOf(request) {
      const { base, subject, data } = customer.of(request)
      return Object.assign(base, {
        userId: subject !== null && isUserId(subject) ? subject : null,
        handle: data.handle ?? null,
        browser: data.browser ?? null,
        mark: markOf(data),
        savedProfile: data.savedProfile ?? null,
        noteSavedProfile(digest: string) {
          data.savedProfile = digest
        },
      })
    },
    adminOf(request) {
      const { base, subject, data } = admin.of(request)
      return Object.assign(base, {
        adminId: subject,
        handle: data.handle ?? null,
        browser: data.browser ?? null,
        mark: markOf(data),
      })
    },
    idsIn: (header) => [customer.idIn(header), admin.idIn(header)].filter((id) => id !== null),
    leave(request) {
      customer.leave(request)
      admin.leave(request)
    },
    close() {
      customer.close()
      admin.close()
    },
  }
}
