import { StartupError } from '#services/foundation/startup-error'

/**
 * The error of a server that cannot listen, as a sentence for the operator. Any other error is
 * returned as it is. `use` says what the port is for, `remedy` which setting to change.
 */
export function explainListenError(
  error: NodeJS.ErrnoException,
  host: string,
  { port, use, remedy }: { readonly port: number; readonly use: string; readonly remedy: string },
): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port}, for ${use}, is in use. Stop the process that uses it, or set ${remedy}.`,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartupError(
        `The sandbox cannot listen on ${host}: it is no address of this machine. Check SANDBOX_HOST.`,
      )
    default:
      return error
  }
}
