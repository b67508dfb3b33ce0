import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import connectPgSimple from 'connect-pg-simple'
import session from 'express-session'
import type pg from 'pg'
import type { Logger } from 'pino'
import { isUserId, type AddressHmac, type UserId } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { createMinuteLine } from '#services/foundation/minute-line'
import { longestDifferenceMs } from '#services/foundation/steady-time'
import { browserName } from './browser-name.ts'
import { sessionLimits, sessionSchema, sessionTables } from './session-tables.ts'

interface BaseSession {
  readonly position: string | null
  remember(position: string | null): void
  /**
   * Gives the session a new id: an id that an attacker planted before the sign-in (session
   * fixation) becomes invalid. `addressHmac` is the e-mail address that a customer signed in with.
   */
  signIn(subject: string, addressHmac?: AddressHmac): Promise<void>
  /** Deletes the session and the browser's cookie. */
  signOut(): Promise<void>
  /** This request does not prolong the session: no person caused it. It also cannot change it. */
  keepExpiry(): void
}

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
  /** Names the session. Null before the sign-in. */
  readonly handle: string | null
}

export interface SessionSettings {
  readonly pool: pg.Pool
  /** The first signs the cookies. Each verifies them: a change of the secret ends no session. */
  readonly secrets: readonly string[]
  /** Whether PUBLIC_URL is https. Cookies are then Secure. */
  readonly isHttps: boolean
  /**
   * The port of PUBLIC_URL, a part of the cookie's name over http: cookies ignore ports, and two
   * local runs must not share cookies. The processes of one product do share them.
   */
  readonly port: number
  /** The security clock. */
  readonly clock: Clock
  readonly comparePositions: (a: string, b: string) => number
  readonly log: Pick<Logger, 'warn'>
}

const sessionIdBytes = 32
type SessionKind = keyof typeof sessionTables

export interface Sessions {
  readonly middleware: readonly RequestHandler[]
  readonly cookieNames: Readonly<Record<SessionKind, string>>
  customerOf(request: Request): CustomerSession
  adminOf(request: Request): AdminSession
  /**
   * The answer of this request neither prolongs nor changes its sessions. For a database that does
   * not answer: otherwise the answer would wait for it again.
   */
  leave(request: Request): void
  /** Ends the timers that delete expired sessions. Call it before the pool ends. */
  close(): void
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
        mark: () => (data.browser ??= randomBytes(16).toString('hex')),
        savedProfile: data.savedProfile ?? null,
        noteSavedProfile(digest: string) {
          data.savedProfile = digest
        },
      })
    },
    adminOf(request) {
      const { base, subject, data } = admin.of(request)
      return Object.assign(base, { adminId: subject, handle: data.handle ?? null })
    },
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

function sessionKind(kind: SessionKind, settings: SessionSettings) {
  const table = sessionTables[kind]
  const { idleMs, longestMs } = sessionLimits[kind]
  const cookieName = settings.isHttps ? `__Host-ar-${kind}` : `ar-${kind}-${settings.port}`
  const cookie = { path: '/', httpOnly: true, sameSite: 'lax', secure: settings.isHttps } as const
  const PgStore = connectPgSimple(session)
  const lineOfFailures = createMinuteLine()
  const views = new WeakMap<Request, { readonly view: Request; readonly response: Response }>()
  const store = new PgStore({
    pool: settings.pool,
    schemaName: sessionSchema,
    tableName: table,
    pruneSessionInterval: 900,
    errorLog: (_sentence, error: unknown) =>
      settings.log.warn({ err: error, table }, 'Deleting expired sessions failed; retrying.'),
  })
  const stored = new SessionStore(store, settings.pool, table)
  const load = session({
    name: cookieName,
    secret: [...settings.secrets],
    genid: () => randomBytes(sessionIdBytes).toString('base64url'),
    store: stored,
    resave: false,
    saveUninitialized: false,
    rolling: true,
    cookie: { ...cookie, maxAge: idleMs },
  })

  const middleware: RequestHandler = (request, response, next) => {
    // A proxy ends TLS, so the connection is http. PUBLIC_URL alone says what the browser uses.
    // express-session sends a Secure cookie only if `secure` is true.
    const view = Object.create(request, { secure: { value: settings.isHttps } }) as Request
    views.set(request, { view, response })
    beforeHead(response, () => {
      const { session: loaded } = view as { session?: Request['session'] }
      if (loaded === undefined || loaded.subject !== undefined || !stored.has(loaded)) return
      dropCookie(response, cookieName)
    })
    let isLoaded = false
    load(view, response, (error?: unknown) => {
      if (isLoaded) {
        // express-session calls it again if it could not store the session at the end of the
        // answer. Express would then break the connection, also before the client has the answer.
        lineOfFailures((requests) =>
          settings.log.warn(
            { err: error, table, method: request.method, path: request.path, requests },
            'Storing a session failed; the answer was sent.',
          ),
        )
        return
      }
      isLoaded = true
      if (error !== undefined) return next(error)
      const { signedInAt } = view.session
      if (signedInAt === undefined) return next()
      const age = settings.clock.now().getTime() - signedInAt
      // A sign-in in the future: the clock was ahead. The session would last that much longer.
      if (age <= longestMs && age >= -longestDifferenceMs) return next()
      view.session.regenerate(next)
    })
  }

  const of = (request: Request) => {
    const loaded = views.get(request)
    if (!loaded)
      throw new Error(
        'This route does not load sessions. Mount the session middleware before the route.',
      )
    const { view, response } = loaded
    const data = view.session
    const base: BaseSession = {
      get position() {
        return (view.session ?? data).position ?? null
      },
      remember(position) {
        const { session: kept } = view as { session?: Request['session'] }
        // After keepExpiry there is no session to change.
        if (position === null || kept === undefined) return
        const known = kept.position
        if (known === undefined || settings.comparePositions(position, known) > 0)
          kept.position = position
      },
      async signIn(subject, addressHmac) {
        const position = view.session.position
        await settled((done) => view.session.regenerate(done))
        view.session.subject = subject
        view.session.signedInAt = settings.clock.now().getTime()
        view.session.handle = randomUUID()
        if (addressHmac !== undefined) view.session.addressHmac = addressHmac
        const browser = browserName(view.get('user-agent'))
        if (browser !== null) view.session.browserName = browser
        if (position !== undefined) view.session.position = position
        await settled((done) => view.session.save(done))
      },
      async signOut() {
        await settled((done) => view.session.destroy(done))
        response.clearCookie(cookieName, cookie)
      },
      keepExpiry: () => forgetSession(view),
    }
    return { base, subject: data.subject ?? null, data }
  }
  const leave = (request: Request) => {
    const loaded = views.get(request)
    if (loaded !== undefined) forgetSession(loaded.view)
  }
  return { cookieName, middleware, of, leave, close: () => store.close() }
}

/**
 * Calls `listener` before the head of the answer is sent. express-session, which is called later,
 * adds its cookie before.
 */
function beforeHead(response: Response, listener: () => void): void {
  const { writeHead } = response
  response.writeHead = (...given: unknown[]) => {
    listener()
    return Reflect.apply(writeHead, response, given) as Response
  }
}

/**
 * The answer does not send the cookie of a visitor's stored session again. Meanwhile another tab
 * may have signed in, and the cookie would replace that of the new session. The browser keeps the
 * cookie for 24 h from the first answer.
 */
function dropCookie(response: Response, name: string): void {
  const cookies = [response.getHeader('Set-Cookie') ?? []].flat().map(String)
  const others = cookies.filter((each) => !each.startsWith(`${name}=`))
  if (others.length === 0) response.removeHeader('Set-Cookie')
  else response.setHeader('Set-Cookie', others)
}

/** express-session then neither sends a cookie nor writes the session's row. */
function forgetSession(view: Request): void {
  Reflect.deleteProperty(view, 'session')
}

/**
 * Stores sessions under the hash of their id: a reader of the table cannot use the sessions.
 *
 * A session that was read from the table is only updated, never inserted. So a request that is in
 * progress while the session is deleted does not bring the session back.
 */
class SessionStore extends session.Store {
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

function settled(start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === undefined || error === null ? resolve() : reject(error as Error)))
  })
}
