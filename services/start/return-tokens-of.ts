import { returnKeyOf } from '#services/event-store/audit/audit-keys'
import { createReturnTokens, type ReturnTokens } from '#services/mail/return-addresses'
import type { Config } from '#services/settings/config'

/** The tokens in the return addresses of mails. */
export function returnTokensOf({ auditKey }: Pick<Config, 'auditKey'>): ReturnTokens {
  return createReturnTokens(returnKeyOf(auditKey))
}
