/**
 * The path of a request as logs show it: without the token of a client's portal, which opens the
 * portal for every reader of the log.
 */
export function loggedPath(path: string): string {
  return path.replace(/^\/+pay\/+[^/?#]+/i, '/pay/[token]')
}
