import type { Request, Response } from 'express'
import { isCheckoutId, type CheckoutId } from '#contracts/ids'

/*
 * The payment provider learns where its page leads back to, and that address has no token of the
 * portal. So a cookie that only this address gets remembers the token, in the browser that paid.
 */

const name = 'pay_return'
const dayMs = 24 * 60 * 60_000

export function rememberToken(
  response: Response,
  { token, checkoutId, isHttps }: { token: string; checkoutId: CheckoutId; isHttps: boolean },
): void {
  response.cookie(name, token, {
    path: `/pay-return/${checkoutId}`,
    httpOnly: true,
    secure: isHttps,
    // The way back begins on the provider's site.
    sameSite: 'lax',
    maxAge: dayMs,
  })
}

/** Null in another browser, or one that keeps no cookies. */
export function rememberedToken(request: Request): string | null {
  const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  const found = pairs.find((pair) => pair.startsWith(`${name}=`))
  return found?.slice(name.length + 1) ?? null
}

export function checkoutIn(text: string): CheckoutId | null {
  return isCheckoutId(text) ? text : null
}
