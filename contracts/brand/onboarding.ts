/*
 * What the product promises after a purchase, and the hours that the promise is counted in.
 */

/** The hours of a working day, in the time zone of the office. */
export interface OfficeHours {
  /** The IANA name. */
  readonly timeZone: string
  /** The zone in words: 'Eastern time'. */
  readonly timeZoneName: string
  /** Full hours of the local day, 0 to 24. `closesAt` is later than `opensAt`. */
  readonly opensAt: number
  readonly closesAt: number
}

/**
 * A business hour is an hour from Monday to Friday in which the office is open. The holidays of the
 * US government have none.
 */
export const officeHours: OfficeHours = {
  timeZone: 'America/New_York',
  timeZoneName: 'Eastern time',
  opensAt: 9,
  closesAt: 17,
}

/** The onboarding is complete after this many business hours. Source: specification, section 9. */
export const onboardingHours = 48
