import { randomBytes } from 'node:crypto'
import { parseEnquiryId } from '#contracts/ids'
import { hmacInUse, type EmailKeys } from '#services/accounts/email-keys'
import type { CommandHandler } from '#services/commands/handle-command'
import { enquiryDecider } from '#services/enquiries/enquiry-decider'
import { enquiryStream } from '#services/foundation/stream-names'
import { testContext } from './test-context.ts'

/** Records an enquiry that was sent with the address, without the form. Returns its stream. */
export async function submitEnquiry(
  { commands, emailKeys }: { readonly commands: CommandHandler; readonly emailKeys: EmailKeys },
  email: string,
  name: string = randomBytes(12).toString('hex'),
  message = 'How do text reminders work?',
): Promise<string> {
  const stream = enquiryStream(parseEnquiryId(`enquiry_${name}`))
  await commands.handle({
    decider: enquiryDecider,
    stream,
    command: {
      type: 'submit-enquiry',
      enquiry: {
        addressHmac: hmacInUse(emailKeys, email),
        firstName: 'Dana',
        lastName: 'Whitlock',
        email,
        phoneNumber: '(612) 555-0199',
        message,
        goals: '',
      },
      at: new Date().toISOString(),
    },
    context: testContext(),
  })
  return stream
}
