import { rightsOf, type AdminRole } from '#contracts/admin/roles'
import { maxResends } from '#contracts/auth'
import type { startApiServer } from './api-server.ts'

export const email = 'dana@birchwooddental.example'

/** The answers for a known address, from the e-mail to the session. */
export function answerKnownCustomer(server: ReturnType<typeof startApiServer>): void {
  server.post('/api/auth/check-user', { isNewUser: false })
  server.post('/api/auth/request-otp', {
    userId: 'user-1',
    resendsLeft: maxResends,
    resendAfterSeconds: 60,
  })
  server.post('/api/auth/verify-otp', {
    isVerified: true,
    isCustomer: false,
    needsProfileUpdate: false,
  })
  server.get('/api/auth/session', session)
}

export const session = {
  userId: 'user-1',
  email,
  isVerified: true,
  isCustomer: false,
  isAdmin: false,
  administrator: null,
  businessName: 'Birchwood Dental Group',
  now: '2026-03-12T09:00:00.000Z',
}

/** Beside `session`: an administrator who may do everything. */
export const owner = { isAdmin: true, administrator: signedInAs('owner', null) }

/** The administrator of a session. `name` null: the shared password. */
export function signedInAs(role: AdminRole, name: string | null = 'Ada Lind') {
  return { id: 'adm_1', name, role, rights: [...rightsOf(role)], needsSecondPerson: false }
}
