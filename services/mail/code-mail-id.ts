/** For which of its addresses an account requested a sign-in code. */
export type CodeRecipient = 'primary' | 'secondary'

/**
 * What names the mail with a sign-in code in its return token: the event of its request, and the
 * address. A token is compared with both.
 */
export const codeMailId = (eventId: string, recipient: CodeRecipient): string =>
  `${eventId} ${recipient}`
