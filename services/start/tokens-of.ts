import { returnKeyOf } from '#services/event-store/audit/audit-keys'
import { createReturnTokens, type ReturnTokens } from '#services/mail/return-addresses'
import { createPortalTokens, type PortalTokens } from '#services/receivables/portal/portal-tokens'
import type { Config } from '#services/settings/config'

/** The tokens of the client portal, under the key of the settings and the one that it replaces. */
export function portalTokensOf({
  portalKey,
  previousPortalKey,
}: Pick<Config, 'portalKey' | 'previousPortalKey'>): PortalTokens {
  return createPortalTokens([portalKey, ...(previousPortalKey === null ? [] : [previousPortalKey])])
}

/** The tokens in the return addresses of mails. */
export function returnTokensOf({ auditKey }: Pick<Config, 'auditKey'>): ReturnTokens {
  return createReturnTokens(returnKeyOf(auditKey))
}
