import type { AuthSide } from './auth-side.ts'

/** The exports of an administrator without a named person. */
export function exportCalls(sideOfFile: () => AuthSide) {
  let admin: Awaited<ReturnType<AuthSide['signInAsAdmin']>>
  const signIn = async () => void (admin = await sideOfFile().signInAsAdmin())
  return {
    signIn,
    /** All sign-ins without a password have the same id, so they share a limit. */
    async newAdmin() {
      await sideOfFile().pool.query("DELETE FROM app.rate_limit WHERE key LIKE 'list-export%'")
      await signIn()
    },
    get: (path: string) => admin.get(path),
    /** The answer of an export, its body unread. */
    request: (
      name: string,
      query: string,
      headers: Record<string, string> = {},
      method: 'GET' | 'HEAD' = 'GET',
    ) =>
      fetch(`${sideOfFile().addresses.url}/api/admin/${name}/export?${query}`, {
        method,
        headers: { cookie: admin.cookieHeader(), ...headers },
      }),
    /** What the log has about exports. */
    async exportsInLog() {
      const events = await sideOfFile().readLog()
      return events.flatMap((event) => (event.type === 'DataExported' ? [event] : []))
    },
  }
}
