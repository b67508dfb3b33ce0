/** The days after a failed payment on which the customer is reminded. */
export const dunningDays = [0, 3, 5, 7] as const
export type DunningDay = (typeof dunningDays)[number]

/**
 * Why the reminders end. `canceled`: the subscription ended, for any reason. `written-off`: the
 * provider no longer collects the invoice.
 */
export const dunningEnds = ['recovered', 'canceled', 'written-off'] as const
