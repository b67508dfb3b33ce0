import { describe, expect, it } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { maxResends } from '#contracts/auth'
import { answerKnownCustomer, email, session } from './support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { left, openPage, preload } from './support/open-page.tsx'

preload(() => import('../../web/features/auth/login-dialog.tsx'))

const server = startApiServer()

async function openLogin() {
  const { user } = openPage('/pricing')
  await user.click(await screen.findByRole('button', { name: 'Login' }))
  await screen.findByRole('dialog', { name: 'Log in or sign up' })
  return user
}

async function enterEmail(user: UserEvent, address = email) {
  await user.type(screen.getByLabelText('Email'), address)
  await user.click(screen.getByRole('button', { name: 'Send Code' }))
}

async function reachCode(user: UserEvent) {
  await enterEmail(user)
  await screen.findByRole('heading', { name: 'Enter the code' })
}

const codeField = () => screen.getByLabelText<HTMLInputElement>('Verification code')
/** A countdown from 60 s; a busy machine may show a lower value first. */
const countdown = /^Resend in (60|5\d) s$/
const redBox = () => within(screen.getByRole('dialog')).getByRole('alert')

async function fillProfile(user: UserEvent) {
  await user.type(screen.getByLabelText('Full name'), 'Dana Whitlock')
  await user.type(screen.getByLabelText('Company name'), 'Birchwood Dental Group')
  await user.selectOptions(screen.getByLabelText('Domain'), 'Dental')
  await user.type(screen.getByLabelText('Address'), '418 Orchard Lane')
  await user.selectOptions(screen.getByLabelText('State'), 'Minnesota')
  await user.type(screen.getByLabelText('ZIP code'), '55802')
  await user.type(screen.getByLabelText('Support email'), 'help@birchwooddental.example')
  await user.type(screen.getByLabelText('Support phone'), '(218) 555-0147')
}

const terms = () =>
  screen.getByRole('checkbox', {
    name: 'I acknowledge that I have read, understood, and agree to these terms.',
  })
const completeSignup = () => screen.getByRole('button', { name: 'Complete Signup' })

async function reachProfile() {
  server.post('/api/auth/check-user', { isNewUser: true })
  const user = await openLogin()
  await enterEmail(user)
  await screen.findByRole('heading', { name: 'Complete Your Profile' })
  return user
}

describe('a customer with a known address', () => {
  it('enters the mailed code, is stored as signed in and gets the page reloaded', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '407192')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await waitFor(() => expect(left.reloads).toBe(1))
    expect(server.sentTo('/api/auth/verify-otp')).toEqual([{ userId: 'user-1', otp: '407192' }])
    expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
      userEmail: email,
      isVerified: 'true',
      isCustomer: 'false',
      businessName: 'Birchwood Dental Group',
    })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('has the typed address trimmed and converted to lower case before the request', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await enterEmail(user, '  Dana@BirchwoodDental.example ')
    await screen.findByRole('heading', { name: 'Enter the code' })
    expect(server.sentTo('/api/auth/request-otp')).toEqual([{ email }])
  })

  it('completes the profile if the code check reports a missing field', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', {
      isVerified: true,
      isCustomer: false,
      needsProfileUpdate: true,
    })
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '407192{Enter}')
    await screen.findByRole('heading', { name: 'Complete Your Profile' })
    await user.clear(screen.getByLabelText('Company name'))
    await fillProfile(user)
    await user.click(terms())
    await user.click(completeSignup())
    await waitFor(() => expect(left.reloads).toBe(1))
    expect(server.sentTo('/api/auth/request-otp')).toHaveLength(1)
  })

  it('is signed in even if the business name cannot be read', async () => {
    answerKnownCustomer(server)
    server.get('/api/auth/session', unreachable)
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '407192{Enter}')
    await waitFor(() => expect(left.reloads).toBe(1))
    expect(localStorage.getItem('businessName')).toBeNull()
  })
})

describe('a customer with a new address', () => {
  it('completes the company profile, then enters a code', async () => {
    answerKnownCustomer(server)
    const user = await reachProfile()
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: false })
    await fillProfile(user)
    await user.click(terms())
    await user.click(completeSignup())
    await screen.findByRole('heading', { name: 'Enter the code' })
    expect(server.sentTo('/api/auth/complete-signup')).toEqual([
      {
        email,
        full_name: 'Dana Whitlock',
        company_name: 'Birchwood Dental Group',
        domain: 'Dental',
        address: '418 Orchard Lane',
        state: 'Minnesota',
        zipcode: '55802',
        support_email: 'help@birchwooddental.example',
        support_phone: '(218) 555-0147',
        has_accepted_terms: true,
      },
    ])
  })

  it('can complete the signup only with every required field and accepted terms', async () => {
    const user = await reachProfile()
    expect(completeSignup()).toBeDisabled()
    await fillProfile(user)
    expect(completeSignup()).toBeDisabled()
    await user.click(terms())
    expect(completeSignup()).toBeEnabled()
    await user.clear(screen.getByLabelText('ZIP code'))
    expect(completeSignup()).toBeDisabled()
  })

  it('can choose every domain and every state', async () => {
    await reachProfile()
    expect(within(screen.getByLabelText('Domain')).getAllByRole('option')).toHaveLength(1 + 9)
    expect(within(screen.getByLabelText('State')).getAllByRole('option')).toHaveLength(1 + 56)
  })

  it('shows invalid values at their fields before any request', async () => {
    const user = await reachProfile()
    await fillProfile(user)
    await user.clear(screen.getByLabelText('ZIP code'))
    await user.type(screen.getByLabelText('ZIP code'), '558')
    await user.click(terms())
    await user.click(completeSignup())
    expect(screen.getByLabelText('ZIP code')).toHaveAccessibleDescription(
      'ZIP code has five digits, or five and four.',
    )
    expect(screen.getByLabelText('ZIP code')).toHaveFocus()
    expect(server.sentTo('/api/auth/complete-signup')).toEqual([])
  })

  it("shows the server's refusal in the error box and at the named field", async () => {
    const user = await reachProfile()
    server.post(
      '/api/auth/complete-signup',
      refusal(400, {
        error: 'Support phone is not a number in use.',
        field: 'support_phone',
        reason: 'not in use',
      }),
    )
    await fillProfile(user)
    await user.click(terms())
    await user.click(completeSignup())
    await waitFor(() => expect(redBox()).toHaveTextContent('Support phone is not a number in use.'))
    expect(screen.getByLabelText('Support phone')).toHaveAccessibleDescription(
      'Support phone is not a number in use.',
    )
  })

  it('can resend the code if sending the first code failed', async () => {
    const user = await reachProfile()
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: false })
    server.post('/api/auth/request-otp', unreachable)
    await fillProfile(user)
    await user.click(terms())
    await user.click(completeSignup())
    await screen.findByRole('heading', { name: 'Enter the code' })
    expect(redBox()).toHaveTextContent('Failed to send OTP')
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends,
      resendAfterSeconds: 60,
    })
    await user.click(screen.getByRole('button', { name: 'Resend code' }))
    await screen.findByText(countdown)
    expect(redBox()).toBeEmptyDOMElement()
  })
})

describe('the e-mail step', () => {
  it('has a disabled button for an empty address', async () => {
    const user = await openLogin()
    expect(screen.getByRole('button', { name: 'Send Code' })).toBeDisabled()
    await user.type(screen.getByLabelText('Email'), '   ')
    expect(screen.getByRole('button', { name: 'Send Code' })).toBeDisabled()
  })

  it('requires a valid address before the request', async () => {
    const user = await openLogin()
    await enterEmail(user, 'dana')
    expect(redBox()).toHaveTextContent('Enter a valid e-mail address.')
    expect(server.calls).toEqual([])
  })

  it.each([
    ['the address cannot be checked', '/api/auth/check-user', 'Failed to process request'],
    ['the code cannot be sent', '/api/auth/request-otp', 'Failed to send verification code'],
  ])('shows its own text if %s and the server sends no sentence', async (_what, path, text) => {
    answerKnownCustomer(server)
    server.post(path, refusal(502, {}))
    const user = await openLogin()
    await enterEmail(user)
    await waitFor(() => expect(redBox()).toHaveTextContent(text))
  })

  it("shows the server's sentence if there is one", async () => {
    answerKnownCustomer(server)
    server.post(
      '/api/auth/request-otp',
      refusal(429, { error: 'Please wait 40 seconds before you request another code.' }),
    )
    const user = await openLogin()
    await enterEmail(user)
    await waitFor(() =>
      expect(redBox()).toHaveTextContent('Please wait 40 seconds before you request another code.'),
    )
  })

  it('shows an error for an answer that breaks its contract', async () => {
    server.post('/api/auth/check-user', { isNewUser: 'perhaps' })
    const user = await openLogin()
    await enterEmail(user)
    await waitFor(() => expect(redBox()).toHaveTextContent('Failed to process request'))
  })
})

describe('the code step', () => {
  it('accepts only six digits, also by pasting', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    expect(codeField()).toHaveFocus()
    expect(codeField()).toHaveAttribute('autocomplete', 'one-time-code')
    expect(codeField()).toHaveAttribute('inputmode', 'numeric')
    expect(screen.getByRole('button', { name: 'Verify' })).toBeDisabled()
    await user.type(codeField(), '40x7')
    expect(codeField()).toHaveValue('407')
    await user.clear(codeField())
    await user.paste('407 192 8')
    expect(codeField()).toHaveValue('407192')
  })

  it.each([
    ['a refused code', refusal(400, {}), 'Invalid OTP'],
    ['a broken server', refusal(500, {}), 'Failed to verify OTP'],
    ['a lost connection', unreachable, 'Failed to verify OTP'],
    [
      'a refusal in words',
      refusal(400, { error: 'This code has expired. Request a new code.' }),
      'This code has expired. Request a new code.',
    ],
  ])('shows the error after %s', async (_what, answer, text) => {
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', answer)
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '111111{Enter}')
    await waitFor(() => expect(redBox()).toHaveTextContent(text))
    expect(localStorage.getItem('userEmail')).toBeNull()
  })

  it('offers another code after the wait that the server sets', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends,
      resendAfterSeconds: 3,
    })
    const user = await openLogin()
    await reachCode(user)
    expect(screen.getByRole('timer')).toHaveTextContent(/^Resend in [123] s$/)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends - 1,
      resendAfterSeconds: 60,
    })
    await user.click(await screen.findByRole('button', { name: 'Resend code' }))
    expect(await screen.findByText(countdown)).toBeVisible()
  })

  it('shows that no resend is left', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: 0,
      resendAfterSeconds: 0,
    })
    const user = await openLogin()
    await reachCode(user)
    expect(redBox()).toHaveTextContent('Maximum resend attempts reached. Please try again later.')
    expect(screen.queryByRole('button', { name: 'Resend code' })).toBeNull()
  })

  it('shows its own text if a resend fails without a sentence', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends,
      resendAfterSeconds: 0,
    })
    const user = await openLogin()
    await reachCode(user)
    server.post('/api/auth/request-otp', refusal(503, {}))
    await user.click(screen.getByRole('button', { name: 'Resend code' }))
    await waitFor(() => expect(redBox()).toHaveTextContent('Failed to resend OTP'))
  })

  it('has a button back to the e-mail step', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    await user.click(screen.getByRole('button', { name: 'Use another e-mail' }))
    expect(screen.getByLabelText('Email')).toHaveFocus()
  })
})

describe('closing the dialog', () => {
  it('clears every field and restores the focus', async () => {
    const user = await openLogin()
    await user.type(screen.getByLabelText('Email'), email)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Login' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await screen.findByLabelText('Email')).toHaveValue('')
  })
})

describe('a signed-in customer', () => {
  it('has a menu with Past Purchases, and with Logout, which ends the session and reloads the page', async () => {
    localStorage.setItem('userEmail', session.email)
    server.post('/api/auth/logout', {})
    const { user } = openPage('/pricing')
    await user.click(await screen.findByRole('button', { name: `Account menu of ${email}` }))
    expect(screen.getByRole('menuitem', { name: 'Past Purchases' })).toHaveAttribute(
      'href',
      '/purchases',
    )
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
    await waitFor(() => expect(left.reloads).toBe(1))
    expect(localStorage.getItem('userEmail')).toBeNull()
    expect(server.calls[0]?.headers.get('x-requested-with')).toBe('fetch')
  })
})
