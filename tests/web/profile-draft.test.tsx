import { describe, expect, it } from '@jest/globals'
import { cleanup, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { emptyProfile } from '../../web/lib/profile-form.ts'
import { draftOf, dropExpiredDraft, keepDraft } from '../../web/lib/profile-draft.ts'
import { forgetCustomer } from '../../web/lib/session-values.ts'
import { answerKnownCustomer, email, session } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { fillProfile } from './support/fill-profile.ts'
import { openPage, preload } from './support/open-page.tsx'
import { enter } from './support/fill-in.ts'

preload(() => import('../../web/features/auth/login-dialog.tsx'))

const server = startApiServer()

function answerNewCustomer() {
  answerKnownCustomer(server)
  server.post('/api/auth/check-user', { isNewUser: true })
  server.post('/api/auth/verify-otp', {
    isVerified: true,
    isCustomer: false,
    needsProfileUpdate: true,
  })
  server.get('/api/auth/session', { ...session, businessName: null })
}

async function enterEmail(address = email) {
  const { user } = openPage('/pricing')
  await user.click(await screen.findByRole('button', { name: 'Login' }))
  await enter(user, await screen.findByLabelText('Email'), address)
  return user
}

/** Types a profile before the code, and closes the dialog. */
async function typeAndClose() {
  answerNewCustomer()
  const user = await enterEmail()
  await screen.findByRole('heading', { name: 'Complete Your Profile' })
  fillProfile()
  await user.click(screen.getByRole('button', { name: 'Close' }))
  cleanup()
}

const enterCode = async (user: UserEvent) =>
  user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
const companyName = () => screen.findByLabelText('Company name')
const kept = /^We kept what you typed before/

describe('a profile that was typed before the code', () => {
  it('is there again after the code of its address, and is deleted when it is saved', async () => {
    await typeAndClose()
    const user = await enterEmail()
    // Before the code it is not shown: anyone can enter the address.
    await screen.findByRole('heading', { name: 'Enter the code' })
    expect(document.body).not.toHaveTextContent('Birchwood')
    await enterCode(user)
    expect(await companyName()).toHaveValue('Birchwood Dental Group')
    expect(screen.getByText(kept)).toBeVisible()
    expect(screen.getByRole('checkbox')).not.toBeChecked()

    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await waitFor(() => expect(draftOf(email)).toBeNull())
    expect(server.sentTo('/api/auth/complete-signup').at(-1)).toMatchObject({
      company_name: 'Birchwood Dental Group',
      has_accepted_terms: true,
      profile_version: null,
    })
  })

  it('is not shown to another address', async () => {
    await typeAndClose()
    const user = await enterEmail('rosa@delmontecpa.example')
    expect(await companyName()).toHaveValue('')
    await user.click(screen.getByRole('button', { name: 'Close' }))
    cleanup()
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', {
      isVerified: true,
      isCustomer: false,
      needsProfileUpdate: true,
    })
    await enterCode(await enterEmail('rosa@delmontecpa.example'))
    expect(await companyName()).toHaveValue('')
    expect(screen.queryByText(kept)).toBeNull()
  })

  it('moves to the corrected address within the dialog, and without accepted terms', async () => {
    answerNewCustomer()
    const user = await enterEmail('dana@birchwodental.example')
    await companyName()
    fillProfile()
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Use another e-mail' }))
    await user.clear(screen.getByLabelText('Email'))
    await enter(user, screen.getByLabelText('Email'), email)
    expect(await companyName()).toHaveValue('Birchwood Dental Group')
    expect(screen.getByRole('checkbox')).not.toBeChecked()
    expect(draftOf(email)).toMatchObject({ company_name: 'Birchwood Dental Group' })
    expect(draftOf('dana@birchwodental.example')).toBeNull()
  })

  it('is there again after the session has ended in the form, by a new code', async () => {
    await typeAndClose()
    const user = await enterEmail()
    await enterCode(user)
    await companyName()
    const error = 'This e-mail already has an account. Log in with a code to change its profile.'
    server.post('/api/auth/complete-signup', refusal(409, { error, field: 'email' }))
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    expect(await screen.findByText(/^Your session has ended, so nothing was saved/)).toBeVisible()
    expect(screen.queryByText(error)).toBeNull()
    await enterCode(user)
    expect(await companyName()).toHaveValue('Birchwood Dental Group')
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await waitFor(() => expect(draftOf(email)).toBeNull())
  })

  it('that the server has saved is deleted after the code', async () => {
    await typeAndClose()
    answerKnownCustomer(server)
    await enterCode(await enterEmail())
    await waitFor(() => expect(draftOf(email)).toBeNull())
  })

  it('is deleted at the logout', async () => {
    await typeAndClose()
    expect(draftOf(email)).not.toBeNull()
    forgetCustomer()
    expect(Object.keys(localStorage)).toEqual([])
  })

  it('is deleted after 24 hours, by a clock that was set back, and if it is damaged', () => {
    const hour = 3_600_000
    const { now } = Date
    const fields = { ...emptyProfile, city: 'Duluth' }
    try {
      for (const [passed, remains] of [
        [23.9, true],
        [24.1, false],
        [-0.1, false],
      ] as const) {
        keepDraft(email, fields)
        Date.now = () => now() + passed * hour
        dropExpiredDraft()
        expect([passed, localStorage.getItem('profileDraft') !== null]).toEqual([passed, remains])
        Date.now = now
      }
    } finally {
      Date.now = now
    }
    for (const damaged of [
      '',
      '{',
      'null',
      '{"email":1}',
      '{"email":"a","until":9e15,"fields":[1]}',
    ]) {
      localStorage.setItem('profileDraft', damaged)
      expect(draftOf('a')).toBeNull()
      expect(localStorage.getItem('profileDraft')).toBeNull()
    }
  })

  it('is kept if saving it fails', async () => {
    await typeAndClose()
    const user = await enterEmail()
    await enterCode(user)
    await companyName()
    server.post('/api/auth/complete-signup', refusal(503, { error: 'Later' }))
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    expect(await screen.findByText('Later')).toBeVisible()
    expect(draftOf(email)).toMatchObject({ company_name: 'Birchwood Dental Group' })
  })
})
