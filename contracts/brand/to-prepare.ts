/** What a customer has ready when the onboarding begins. Separate: the landing page has no list. */
export const toPrepare: readonly string[] = [
  'A list of your open invoices: customer, amount, due date, and the e-mail address and phone number to remind',
  'The name of your payment gateway, and who in your company can connect it',
  'Your logo and the name that your customers know you by',
]
