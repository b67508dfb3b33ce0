import type { RequestHandler } from 'express'
import { escapeMarkup } from '#contracts/escape-markup'
import { paymentScriptMeta, publicPaths, type PagePath } from '#contracts/pages'
import type { InlineSources } from './inline-sources.ts'
import { allowOtherHosts, type OtherHosts } from './security-headers.ts'

/**
 * The documents in which a plan is bought or managed. A link between public pages loads no new
 * document, so each of them allows the script, and those with a purchase load it. The address of
 * none is a secret, and none shows data of a client.
 */
const purchaseDocuments: ReadonlySet<string> = new Set<PagePath>([...publicPaths, '/purchases'])

/** The payment provider's script, which some pages load for its signals of fraud. */
export interface PaymentScript {
  /** Whether a page in the document of this path can load it. */
  isOn(path: string): boolean
  /** The page with the key, without which a page loads no script. */
  addKey(html: string): string
  /** Allows the provider's hosts in the policy of this answer. */
  readonly allow: RequestHandler
}

/** @param publishableKey is public: every visitor of the pages sees it */
export function createPaymentScript(
  publishableKey: string,
  hosts: OtherHosts,
  { isHttps, inline }: { readonly isHttps: boolean; readonly inline: InlineSources },
): PaymentScript {
  const meta = `<meta name="${paymentScriptMeta}" content="${escapeMarkup(publishableKey)}" />`
  return {
    isOn: (path) => purchaseDocuments.has(path),
    addKey: (html) => html.replace('</head>', () => `${meta}</head>`),
    allow: allowOtherHosts(isHttps, inline, hosts),
  }
}
