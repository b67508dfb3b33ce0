import { createHash } from 'node:crypto'
import session from 'express-session'
import type pg from 'pg'
import type { Queryable } from '#services/foundation/queryable'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { sessionSchema } from './session-tables.ts'

/** The outcome of a sign-in. `unknown`: the answer to the commit was lost, with this error. */
type Began =
  | { readonly kind: 'begun' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'failed' | 'unknown'; readonly error: unknown }

/**
 * Stores sessions under the hash of their id: a reader of the table cannot use the sessions.
 *
 * A session that was read from the table is only updated, never inserted. So a request that is in
 * progress while the session is deleted does not bring the session back.
 */
export class SessionStore extends session.Store {
  private readonly inner: session.Store
  private readonly pool: pg.Pool
  private readonly table: string
  /** The sessions of requests in progress that have a row, or had one when they were read. */
  private readonly stored = new WeakSet<object>()

  constructor(inner: session.Store, pool: pg.Pool, table: string) {
    super()
    this.inner = inner
    this.pool = pool
    this.table = table
  }

  /** Whether the session was read from the table, or written to it by an earlier call. */
  has(data: object): boolean {
    return this.stored.has(data)
  }

  /**
   * Stores the session of a sign-in and ends the former session of the browser, in one transaction
   * with `within`. If `within` returns false, nothing is stored.
   */
  async begin(
    sid: string,
    data: Pick<session.SessionData, 'cookie'>,
    former: string,
    within: (tx: Queryable) => Promise<boolean>,
  ): Promise<Began> {
    const table = `${sessionSchema}.${this.table}`
    let isDecided = false
    try {
      return await onConnectionOf(this.pool, durableTransaction, async (tx): Promise<Began> => {
        if (!(await within(tx))) return { kind: 'refused' }
        await tx.query(`DELETE FROM ${table} WHERE sid = $1`, [hashed(former)])
        await tx.query(`INSERT INTO ${table} (sid, sess, expire) VALUES ($1, $2, $3)`, [
          hashed(sid),
          JSON.stringify(data),
          data.cookie.expires,
        ])
        // Also after a lost answer: a session that was not stored is not inserted later.
        this.stored.add(data)
        isDecided = true
        return { kind: 'begun' }
      })
    } catch (error) {
      return { kind: isDecided ? 'unknown' : 'failed', error }
    }
  }

  async exists(sid: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `SELECT FROM ${sessionSchema}.${this.table} WHERE sid = $1`,
      [hashed(sid)],
    )
    return rowCount === 1
  }

  override get(
    sid: string,
    callback: (error: unknown, data?: session.SessionData | null) => void,
  ): void {
    this.inner.get(hashed(sid), callback)
  }

  override createSession(
    ...read: Parameters<session.Store['createSession']>
  ): ReturnType<session.Store['createSession']> {
    const created = super.createSession(...read)
    this.stored.add(created)
    return created
  }

  override set(sid: string, data: session.SessionData, callback?: (error?: unknown) => void): void {
    if (this.stored.has(data)) {
      void this.pool
        .query(`UPDATE ${sessionSchema}.${this.table} SET sess = $2, expire = $3 WHERE sid = $1`, [
          hashed(sid),
          JSON.stringify(data),
          data.cookie.expires,
        ])
        .then(
          () => callback?.(),
          (error: unknown) => callback?.(error),
        )
      return
    }
    this.inner.set(hashed(sid), data, (error?: unknown) => {
      if (error === undefined || error === null) this.stored.add(data)
      callback?.(error)
    })
  }

  override destroy(sid: string, callback?: (error?: unknown) => void): void {
    this.inner.destroy(hashed(sid), callback)
  }

  override touch(sid: string, data: session.SessionData, callback?: () => void): void {
    this.inner.touch?.(hashed(sid), data, callback)
  }
}

function hashed(sid: string): string {
  return createHash('sha256').update(sid).digest('hex')
}
