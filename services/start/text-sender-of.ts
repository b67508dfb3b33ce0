import { createTextSender, type TextSender } from '#services/sms/text-sender'
import type { Config } from '#services/settings/config'
import { textAccountOf } from '#services/settings/text-account'

/** Null: no texts are sent. `sandboxUrl`: null without a sandbox. */
export function textSenderOf(
  config: Pick<Config, 'twilio' | 'stripe'>,
  sandboxUrl: string | null,
): TextSender | null {
  const account = textAccountOf(config)
  if (account === null) return null
  if (config.twilio !== 'sandbox') return createTextSender({ ...account, origin: null })
  return sandboxUrl === null ? null : createTextSender({ ...account, origin: sandboxUrl })
}
