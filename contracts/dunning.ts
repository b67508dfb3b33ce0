/** The days after a failed payment on which the customer is reminded. */
export const dunningDays = [0, 3, 5, 7] as const
export type DunningDay = (typeof dunningDays)[number]
