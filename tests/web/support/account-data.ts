import type { ProfileResponse, SessionsResponse } from '#contracts/account'
import { email } from './auth-answers.ts'

/** The account of a customer with a profile and two addresses. */
export function anAccount(overrides: Partial<ProfileResponse> = {}): ProfileResponse {
  return {
    email,
    secondary_email: 'billing@birchwooddental.example',
    profile: {
      full_name: 'Dana Whitlock',
      company_name: 'Birchwood Dental Group',
      domain: 'Dental',
      website_url: null,
      address: '418 Orchard Lane, Suite 2',
      city: 'Duluth',
      state: 'Minnesota',
      zipcode: '55802',
      support_email: 'help@birchwooddental.example',
      support_phone: '(218) 555-0147',
    },
    profile_version: 'version-1',
    created_at: '2025-03-14T10:00:00.000Z',
    user_type: 4,
    ...overrides,
  }
}

export const laptop: SessionsResponse['sessions'][number] = {
  id: '0b0f3f52-6a0c-4a5e-9d1e-1c4e3d2b1a01',
  isCurrent: true,
  signedInAt: '2026-03-12T09:12:00.000Z',
  lastSeenAt: '2026-03-21T15:00:00.000Z',
  browser: 'Firefox on Windows',
}

export const phone: SessionsResponse['sessions'][number] = {
  id: '0b0f3f52-6a0c-4a5e-9d1e-1c4e3d2b1a02',
  isCurrent: false,
  signedInAt: '2026-03-03T17:40:00.000Z',
  lastSeenAt: '2026-03-20T08:05:00.000Z',
  browser: null,
}
