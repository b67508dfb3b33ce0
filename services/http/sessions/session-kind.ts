import { loggedPath } from '../logged-path.ts'
import { randomBytes } from 'node:crypto'
import type { NextFunction, Request, RequestHandler, Response } from 'express'
import connectPgSimple from 'connect-pg-simple'
import session from 'express-session'
import { createMinuteLine } from '#services/foundation/minute-line'
import { longestDifferenceMs } from '#services/foundation/steady-time'
import { baseSession, forgetSession } from './base-session.ts'
import { beforeHead, dropCookie } from './session-cookie.ts'
import type { SessionSettings } from './session-settings.ts'
import { SessionStore } from './session-store.ts'
import { signedId } from './signed-id.ts'
import { sessionLimits, sessionSchema, sessionTables } from './session-tables.ts'
import { undecidedIn } from './undecided-cookie.ts'

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
    const view = viewOf(request, settings.isHttps, decided)
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

  const of = (request: Request) => {
    const loaded = views.get(request)
    if (!loaded)
      throw new Error(
        'This route does not load sessions. Mount the session middleware before the route.',
      )
    const { view, response } = loaded
    const data = view.session
    const base = baseSession({
      view,
      response,
      stored,
      begin: (begun) => newSession(stored, begun),
      settings,
      passwordMark,
      undecided: { name: cookieName, options: { ...cookie, maxAge: idleMs } },
      clearCookie: () => response.clearCookie(cookieName, cookie),
    })
    return { base, subject: data.subject ?? null, data }
  }
  const leave = (request: Request) => {
    const loaded = views.get(request)
    if (loaded !== undefined) forgetSession(loaded.view)
  }
  const idIn = (header: string | undefined) => signedId(header, cookieName, settings.secrets)
  return { cookieName, middleware, of, leave, idIn, close: () => store.close() }
}

/** express-session adds the function to its store. */
function newSession(stored: SessionStore, view: Request): void {
  const { generate } = stored as { generate?: (request: Request) => void }
  if (generate === undefined) throw new Error('The sessions have no middleware. Mount it first.')
  generate(view)
}

/**
 * The request as express-session sees it. A proxy ends TLS, so the connection is http. PUBLIC_URL
 * alone says what the browser uses. express-session sends a Secure cookie only if `secure` is true.
 */
function viewOf(request: Request, isHttps: boolean, decided: string | undefined): Request {
  return Object.create(request, {
    secure: { value: isHttps },
    ...(decided !== undefined && {
      headers: { value: { ...request.headers, cookie: decided } },
    }),
  }) as Request
}
