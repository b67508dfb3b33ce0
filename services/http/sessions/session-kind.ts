import { loggedPath } from '../logged-path.ts'
import { randomBytes, randomUUID } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import connectPgSimple from 'connect-pg-simple'
import session, { type SessionData } from 'express-session'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { AddressHmac } from '#contracts/ids'
import type { Clock } from '#services/foundation/clock'
import { createMinuteLine } from '#services/foundation/minute-line'
import type { Queryable } from '#services/foundation/queryable'
import { longestDifferenceMs } from '#services/foundation/steady-time'
import { browserName } from './browser-name.ts'
import { beforeHead, dropCookie } from './session-cookie.ts'
import { SessionStore } from './session-store.ts'
import { signedId } from './signed-id.ts'
import { sessionLimits, sessionSchema, sessionTables } from './session-tables.ts'
import { undecidedCookie, undecidedIn } from './undecided-cookie.ts'

export interface BaseSession {
  readonly position: string | null
  remember(position: string | null): void
  /**
   * Gives the session a new id: an id that an attacker planted before the sign-in (session
   * fixation) becomes invalid. `within` runs in the transaction that stores the session. If it
   * returns false, no one signs in, and the function returns false.
   *
   * If the answer to the commit is lost, the answer to the client has a cookie of both sessions
   * (`undecided-cookie.ts`): the repeat of the sign-in shows which of them exists.
   */
  signIn(
    subject: string,
    facts?: SignInFacts,
    within?: (tx: Queryable) => Promise<boolean>,
  ): Promise<boolean>
  /**
   * The proof of the code of a sign-in that ended with 503, although its session was stored. Null
   * after any other sign-in.
   */
  readonly signInCode: SessionData['signInCode'] | null
  /** The repeat of the sign-in was answered: the code is used up. */
  completeSignIn(): void
  /** Deletes the session and the browser's cookie. */
  signOut(): Promise<void>
  /** This request does not prolong the session: no person caused it. It also cannot change it. */
  keepExpiry(): void
}

/** What a customer signed in with. */
interface SignInFacts {
  readonly addressHmac?: AddressHmac
  readonly signInCode?: SessionData['signInCode']
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
  /**
   * A digest of the administrators' password. A session of an administrator who signed in with
   * another password has ended.
   */
  readonly passwordMark: string
  readonly log: Pick<Logger, 'warn'>
}

export type SessionKind = keyof typeof sessionTables

const sessionIdBytes = 32

/** The sessions of one kind: their cookie, their table, and the middleware that loads them. */
export function sessionKind(kind: SessionKind, settings: SessionSettings) {
  const table = sessionTables[kind]
  const passwordMark = kind === 'admin' ? settings.passwordMark : undefined
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
    const undecided = undecidedIn(request.headers.cookie, cookieName, settings.secrets)
    if (undecided === null) return loadInto(request, response, next)
    stored
      .exists(undecided.begun)
      .then(
        (isBegun) =>
          loadInto(request, response, next, isBegun ? undecided.ifBegun : undecided.ifNot),
        next,
      )
  }

  /** `decided` is the `Cookie` header of a browser with an undecided cookie. */
  function loadInto(
    request: Request,
    response: Response,
    next: NextFunction,
    decided?: string,
  ): void {
    // A proxy ends TLS, so the connection is http. PUBLIC_URL alone says what the browser uses.
    // express-session sends a Secure cookie only if `secure` is true.
    const view = Object.create(request, {
      secure: { value: settings.isHttps },
      ...(decided !== undefined && {
        headers: { value: { ...request.headers, cookie: decided } },
      }),
    }) as Request
    views.set(request, { view, response })
    beforeHead(response, () => {
      const { session: loaded } = view as { session?: Request['session'] }
      if (loaded === undefined || loaded.subject !== undefined || !stored.has(loaded)) return
      if (decided === undefined) dropCookie(response, cookieName)
    })
    let isLoaded = false
    load(view, response, (error?: unknown) => {
      if (isLoaded) {
        // express-session calls it again if it could not store the session at the end of the
        // answer. Express would then break the connection, also before the client has the answer.
        lineOfFailures((requests) =>
          settings.log.warn(
            { err: error, table, method: request.method, path: loggedPath(request.path), requests },
            'Storing a session failed; the answer was sent.',
          ),
        )
        return
      }
      isLoaded = true
      if (error !== undefined) return next(error)
      const { signedInAt } = view.session
      if (signedInAt === undefined) return next()
      if (view.session.passwordMark !== passwordMark) return view.session.regenerate(next)
      const age = settings.clock.now().getTime() - signedInAt
      // A sign-in in the future: the clock was ahead. The session would last that much longer.
      if (age <= longestMs && age >= -longestDifferenceMs) return next()
      view.session.regenerate(next)
    })
  }

  /** express-session adds the function to its store. */
  const newSession = (view: Request): void => {
    const { generate } = stored as { generate?: (request: Request) => void }
    if (generate === undefined) throw new Error('The sessions have no middleware. Mount it first.')
    generate(view)
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
      async signIn(subject, facts = {}, within = () => Promise.resolve(true)) {
        const { session: former, sessionID: formerId } = view
        newSession(view)
        const browser = browserName(view.get('user-agent'))
        Object.assign(view.session, {
          subject,
          signedInAt: settings.clock.now().getTime(),
          handle: randomUUID(),
          ...(passwordMark !== undefined && { passwordMark }),
          ...facts,
          ...(browser !== null && { browserName: browser }),
          ...(former.position !== undefined && { position: former.position }),
        })
        const began = await stored.begin(view.sessionID, view.session, formerId, within)
        if (began.kind === 'begun') {
          // The end of the request stores the session without it: the code is used up.
          delete view.session.signInCode
          return true
        }
        const begunId = view.sessionID
        Object.assign(view, { session: former, sessionID: formerId })
        if (began.kind === 'refused') return false
        if (began.kind === 'unknown') {
          const [secret = ''] = settings.secrets
          const formerStored = stored.has(former) ? formerId : null
          response.cookie(cookieName, undecidedCookie(begunId, formerStored, secret), {
            ...cookie,
            maxAge: idleMs,
          })
        }
        throw began.error
      },
      get signInCode() {
        return data.signInCode ?? null
      },
      completeSignIn() {
        delete data.signInCode
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
  const idIn = (header: string | undefined) => signedId(header, cookieName, settings.secrets)
  return { cookieName, middleware, of, leave, idIn, close: () => store.close() }
}

/** express-session then neither sends a cookie nor writes the session's row. */
function forgetSession(view: Request): void {
  Reflect.deleteProperty(view, 'session')
}

function settled(start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === undefined || error === null ? resolve() : reject(error as Error)))
  })
}
