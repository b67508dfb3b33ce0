import { useCallback } from 'react'
import { useRequestOtpMutation } from '../../api/auth-api.ts'
import { errorText } from '../../lib/http.ts'

/** A requested code, and the server's limits for the next request. */
export interface CodeDelivery {
  readonly userId: string
  readonly resendsLeft: number
  /** The instant, in milliseconds, from which the server accepts another code request. */
  readonly resendAt: number
  /** True if the account exists and sending its code failed: the code step offers to resend it. */
  readonly problem: string | null
  /** The inbox of a simulated mail server. */
  readonly inboxUrl: string | null
}

export type CodeRequest = { readonly delivery: CodeDelivery } | { readonly problem: string }

/** Requests a code. `fallback` is the error text if the server's answer has none. */
export function useCodeRequest(): (email: string, fallback: string) => Promise<CodeRequest> {
  const [requestOtp] = useRequestOtpMutation()
  return useCallback(
    async (email, fallback) => {
      const { data, error } = await requestOtp({ email })
      if (!data) return { problem: errorText(error, fallback) }
      const { userId, resendsLeft, resendAfterSeconds, inboxUrl = null } = data
      return {
        delivery: {
          userId,
          resendsLeft,
          resendAt: Date.now() + resendAfterSeconds * 1000,
          problem: null,
          inboxUrl,
        },
      }
    },
    [requestOtp],
  )
}
