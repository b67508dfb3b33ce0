import { randomUUID } from 'node:crypto'
import type { CookieOptions, Request, Response } from 'express'
import type { SessionData } from 'express-session'
import type { AddressHmac } from '#contracts/ids'
import type { Queryable } from '#services/foundation/queryable'
import { browserName } from './browser-name.ts'
import type { SessionSettings } from './session-settings.ts'
import type { SessionStore } from './session-store.ts'
import { undecidedCookie } from './undecided-cookie.ts'

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
    details?: SignInDetails,
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
interface SignInDetails {
  readonly addressHmac?: AddressHmac
  readonly signInCode?: SessionData['signInCode']
}

/** The session of a request, as express-session has loaded it into `view`. */
export function baseSession({
  view,
  response,
  stored,
  begin,
  settings,
  passwordMark,
  undecided,
  clearCookie,
}: {
  readonly view: Request
  readonly response: Response
  readonly stored: SessionStore
  /** Puts a new session with a new id into the view. */
  readonly begin: (view: Request) => void
  readonly settings: Pick<SessionSettings, 'clock' | 'comparePositions' | 'secrets'>
  /** Undefined: sessions of this kind have none. */
  readonly passwordMark: string | undefined
  /** The cookie of a session of which it is unknown whether it began. */
  readonly undecided: { readonly name: string; readonly options: CookieOptions }
  readonly clearCookie: () => void
}): BaseSession {
  const data = view.session
  return {
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
    async signIn(subject, details = {}, within = () => Promise.resolve(true)) {
      const { session: former, sessionID: formerId } = view
      begin(view)
      const browser = browserName(view.get('user-agent'))
      Object.assign(view.session, {
        subject,
        signedInAt: settings.clock.now().getTime(),
        handle: randomUUID(),
        ...(passwordMark !== undefined && { passwordMark }),
        ...details,
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
        const { name, options } = undecided
        response.cookie(name, undecidedCookie(begunId, formerStored, secret), options)
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
      clearCookie()
    },
    keepExpiry: () => forgetSession(view),
  }
}

/** express-session then neither sends a cookie nor writes the session's row. */
export function forgetSession(view: Request): void {
  Reflect.deleteProperty(view, 'session')
}

function settled(start: (done: (error?: unknown) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    start((error) => (error === undefined || error === null ? resolve() : reject(error as Error)))
  })
}
