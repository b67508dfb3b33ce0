import { useCallback } from 'react'
import { useRequestOtpMutation } from '../../api/auth-api.ts'
import { errorText } from '../../lib/http.ts'

/** A code that was asked for, and what the server allows next. */
export interface CodeDelivery {
  readonly userId: string
  readonly resendsLeft: number
  /** The instant, in milliseconds, from which another code may be asked for. */
  readonly resendAt: number
  /** Set when the account is known and its code could not be sent: the code step offers to send it again. */
  readonly problem: string | null
}

export type CodeRequest = { readonly delivery: CodeDelivery } | { readonly problem: string }

/** Asks for a code; `fallback` is what is shown when the server gives no sentence of its own. */
export function useCodeRequest(): (email: string, fallback: string) => Promise<CodeRequest> {
  const [requestOtp] = useRequestOtpMutation()
  return useCallback(
    async (email, fallback) => {
      const { data, error } = await requestOtp({ email })
      if (!data) return { problem: errorText(error, fallback) }
      const { userId, resendsLeft, resendAfterSeconds } = data
      return {
        delivery: {
          userId,
          resendsLeft,
          resendAt: Date.now() + resendAfterSeconds * 1000,
          problem: null,
        },
      }
    },
    [requestOtp],
  )
}
