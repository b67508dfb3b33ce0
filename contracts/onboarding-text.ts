import { officeHours, onboardingHours } from './brand/onboarding.ts'
import type { Instant } from './instant.ts'

const { timeZone, timeZoneName, opensAt, closesAt } = officeHours

/** What the promise counts: '48 business hours'. */
export const onboardingTime = `${onboardingHours} business hours`

/** 'Monday to Friday, 9 AM to 5 PM Eastern time, except US federal holidays' */
export const businessHoursText = `Monday to Friday, ${hourText(opensAt)} to ${hourText(closesAt)} ${timeZoneName}, except US federal holidays`

const days = new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full' })
const times = new Intl.DateTimeFormat('en-US', { timeZone, hour: 'numeric', minute: '2-digit' })

/**
 * 'Thursday, December 3, 2026, 2:30 PM Eastern time'. In the office's time zone, in which its hours
 * are counted: page and mail show the same text.
 */
export function onboardingEndText(at: Instant): string {
  const date = new Date(at)
  // Newer versions of ICU write a narrow space before AM and PM, which not every font has.
  return `${days.format(date)}, ${times.format(date).replaceAll('\u202F', ' ')} ${timeZoneName}`
}

function hourText(hour: number): string {
  return `${((hour + 11) % 12) + 1} ${hour % 24 < 12 ? 'AM' : 'PM'}`
}
