import { listenForReports } from '#services/notifications/returned/report-listener'
import {
  createReturnedMails,
  type ReturnedMailParts,
  type ReturnedMails,
} from '#services/notifications/returned/returned-mails'
import { returnTokensOf } from './tokens-of.ts'
import type { StartContext } from './start-context.ts'

/**
 * What takes the mails that come back, and the listener for them. Null without an address to which
 * they come.
 * @throws StartupError if BOUNCE_PORT cannot be used
 */
export async function startReturnedMails(
  { config, log, started }: StartContext,
  parts: Omit<ReturnedMailParts, 'tokens' | 'bounceAddress' | 'log'>,
): Promise<ReturnedMails | null> {
  const { bounces, host } = config
  if (bounces === null) return null
  const { address: bounceAddress, port, tls } = bounces
  const tokens = returnTokensOf(config)
  const returned = createReturnedMails({ ...parts, tokens, bounceAddress, log })
  if (port === null) return returned
  const listener = await listenForReports({ returned, log }, { host, port, tls })
  started.addServer('listener for delivery reports', () => listener.close())
  return returned
}
