import type { IncomingMessage } from 'node:http'

/**
 * Rewrites a request target in absolute form, `http://host/path`, to its path, so that every reader
 * of the address reads a path. The host of the target replaces that of the header Host. Source: RFC
 * 9112, 3.2.2.
 */
export function toOriginForm(request: Pick<IncomingMessage, 'url' | 'headers'>): void {
  const [, host, rest = ''] =
    /^[a-z][a-z\d+.-]*:\/\/([^/?#\\]*)(.*)$/is.exec(request.url ?? '') ?? []
  if (host === undefined) return
  request.url = rest.startsWith('/') ? rest : `/${rest}`
  // Without the name of a user, which a Host never has.
  request.headers.host = host.slice(host.lastIndexOf('@') + 1)
}
