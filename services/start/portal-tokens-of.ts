import { createPortalTokens, type PortalTokens } from '#services/receivables/portal/portal-tokens'
import type { Config } from '#services/settings/config'

/** The tokens of the client portal, under the key of the settings and the one that it replaces. */
export function portalTokensOf({
  portalKey,
  previousPortalKey,
}: Pick<Config, 'portalKey' | 'previousPortalKey'>): PortalTokens {
  return createPortalTokens([portalKey, ...(previousPortalKey === null ? [] : [previousPortalKey])])
}
