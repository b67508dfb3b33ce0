import type { Config } from './config.ts'

/**
 * The page with the mails of the sandbox that this process starts, for browsers. Null if another
 * mail server has them.
 */
export function inboxUrl({ sandbox, publicUrl }: Pick<Config, 'sandbox' | 'publicUrl'>) {
  if (sandbox === null || !sandbox.simulatesMail || sandbox.url !== null) return null
  return `http://${new URL(publicUrl).hostname}:${sandbox.port}/inbox`
}
