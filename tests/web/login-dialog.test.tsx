import { describe, expect, it } from '@jest/globals'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { HttpResponse } from 'msw'
import { maxResends } from '#contracts/auth'
import { companyDomains, usStates } from '#contracts/profile-options'
import { answerKnownCustomer, email, session } from './support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { fillIn } from './support/fill-in.ts'
import { fillProfile } from './support/fill-profile.ts'
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
  await fillIn(user, screen.getByLabelText('Email'), address)
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
    await user.type(screen.getByLabelText('Email'), '  Dana@BirchwoodDental.example ')
    await user.click(screen.getByRole('button', { name: 'Send Code' }))
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
    fillProfile()
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

  it('is not greeted with the name of an account that signed in before', async () => {
    localStorage.setItem('businessName', 'Delmonte CPA')
    answerKnownCustomer(server)
    server.get('/api/auth/session', { ...session, businessName: null })
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
    fillProfile()
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
    fillProfile()
    expect(completeSignup()).toBeDisabled()
    await user.click(terms())
    expect(completeSignup()).toBeEnabled()
    for (const label of [
      'Full name',
      'Company name',
      'Address',
      'ZIP code',
      'Support email',
      'Support phone',
    ]) {
      const field = screen.getByLabelText<HTMLInputElement>(label)
      const { value } = field
      fireEvent.change(field, { target: { value: '  ' } })
      expect([label, completeSignup()]).toEqual([
        label,
        expect.objectContaining({ disabled: true }),
      ])
      fireEvent.change(field, { target: { value } })
    }
    for (const [label, value] of [
      ['Domain', 'Dental'],
      ['State', 'Minnesota'],
    ] as const) {
      await user.selectOptions(screen.getByLabelText(label), '')
      expect(completeSignup()).toBeDisabled()
      await user.selectOptions(screen.getByLabelText(label), value)
    }
    expect(completeSignup()).toBeEnabled()
  })

  it('has fields of the types that phones show a keyboard for', async () => {
    await reachProfile()
    expect(screen.getByLabelText('Website link')).toHaveAttribute('type', 'url')
    expect(screen.getByLabelText('Support email')).toHaveAttribute('type', 'email')
    expect(screen.getByLabelText('Support phone')).toHaveAttribute('type', 'tel')
  })

  it('reads terms of six topics', async () => {
    await reachProfile()
    const topics = [...screen.getByRole('region', { name: 'Terms' }).querySelectorAll('b')]
    expect(topics.map(({ textContent }) => textContent)).toEqual([
      'Control and responsibility.',
      'No warranties.',
      'Indemnification.',
      'No provider liability.',
      'Compliance responsibility.',
      'Access security.',
    ])
  })

  it('returns to the e-mail step with the address if it is not the right one', async () => {
    const user = await reachProfile()
    expect(screen.getByRole('dialog')).toHaveTextContent(`You sign up as ${email}.`)
    await user.click(screen.getByRole('button', { name: 'Use another e-mail' }))
    expect(screen.getByLabelText('Email')).toHaveValue(email)
    expect(screen.getByLabelText('Email')).toHaveFocus()
  })

  it('who finished the sign-up in another tab can log in with its code', async () => {
    const user = await reachProfile()
    const error = 'This e-mail already has an account. Log in with a code to change its profile.'
    server.post('/api/auth/complete-signup', refusal(409, { error, field: 'email' }))
    fillProfile()
    await user.click(terms())
    await user.click(completeSignup())
    await waitFor(() => expect(redBox()).toHaveTextContent(error))
    expect(redBox()).toHaveFocus()
    answerKnownCustomer(server)
    await user.click(screen.getByRole('button', { name: 'Use another e-mail' }))
    await user.click(screen.getByRole('button', { name: 'Send Code' }))
    expect(await screen.findByRole('heading', { name: 'Enter the code' })).toBeVisible()
  })

  it('who enters the code in another tab is signed in here too', async () => {
    answerKnownCustomer(server)
    const user = await reachProfile()
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: false })
    fillProfile()
    await user.click(terms())
    await user.click(completeSignup())
    await screen.findByRole('heading', { name: 'Enter the code' })
    localStorage.setItem('userEmail', email)
    const change = new StorageEvent('storage', { key: 'userEmail', newValue: email })
    act(() => void window.dispatchEvent(change))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(left.reloads).toBe(1)
  })

  it('sees that the sign-up failed', async () => {
    const user = await reachProfile()
    server.post('/api/auth/complete-signup', refusal(500, {}))
    fillProfile()
    await user.click(terms())
    await user.click(completeSignup())
    await waitFor(() => expect(redBox()).toHaveTextContent('Failed to complete signup'))
    expect(screen.getByLabelText('Full name')).toHaveValue('Dana Whitlock')
  })

  it('can choose every domain and every state', async () => {
    await reachProfile()
    for (const [label, options] of [
      ['Domain', companyDomains],
      ['State', usStates],
    ] as const) {
      const shown = within(screen.getByLabelText(label)).getAllByRole('option')
      expect(shown.map(({ textContent }) => textContent)).toEqual(['Choose', ...options])
    }
  })

  it('shows invalid values at their fields before any request', async () => {
    const user = await reachProfile()
    fillProfile()
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
    fillProfile()
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
    fillProfile()
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
    const field = screen.getByLabelText('Email')
    expect(field).toHaveAccessibleDescription('Enter a valid e-mail address.')
    expect(field).toBeInvalid()
    expect(field).toHaveFocus()
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
    for (const pasted of [' 407-192 ', '407\u2013192', '407\u00a0192\n', '\uff14\uff10\uff17192']) {
      await user.clear(codeField())
      await user.paste(pasted)
      expect(codeField()).toHaveValue('407192')
    }
    await user.type(codeField(), '8')
    expect(codeField()).toHaveValue('407192')
  })

  it('accepts digits of other widths and scripts', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '\uff14\uff10\uff17\u0661\u0669\u0662')
    expect(codeField()).toHaveValue('407192')
  })

  it('takes the code out of a pasted or dropped message', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    await user.paste('Order 2026: 407 192')
    expect(codeField()).toHaveValue('407192')
    const message = 'Your code is 550914. It is valid for 10 minutes.'
    fireEvent.input(codeField(), { target: { value: `407192${message}` } })
    expect(codeField()).toHaveValue('550914')
  })

  it('says so if a pasted text has no single code, until the next input', async () => {
    answerKnownCustomer(server)
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '4')
    for (const pasted of ['407 192 8', '407192 or 550914', 'no code']) {
      await user.paste(pasted)
      expect(codeField()).toHaveValue('4')
      expect(screen.getByRole('alert')).toHaveTextContent(
        'The text has no single code of six digits. Copy the code alone, or type it.',
      )
    }
    await user.type(codeField(), '0')
    expect(screen.queryByText(/no single code/)).toBeNull()
  })

  it('counts down from the seconds of the server if the code was requested before', async () => {
    answerKnownCustomer(server)
    const sent = { userId: 'user-1', resendsLeft: 2, resendAfterSeconds: 42 }
    server.post('/api/auth/request-otp', sent)
    const user = await openLogin()
    await reachCode(user)
    expect(screen.getByRole('timer')).toHaveTextContent(/^Resend in (42|41|40) s$/)
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
    expect(codeField()).toHaveAccessibleDescription(text)
    expect(codeField()).toHaveFocus()
    expect(localStorage.getItem('userEmail')).toBeNull()
  })

  it('clears a refused code, so that the next one can be typed at once', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', refusal(400, {}))
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '111111{Enter}')
    await waitFor(() => expect(redBox()).toHaveTextContent('Invalid OTP'))
    expect(codeField()).toHaveValue('')
    expect(codeField()).toBeInvalid()
    await user.keyboard('40')
    expect(codeField()).toHaveValue('40')
    expect(codeField()).toBeValid()
  })

  it('keeps the code after a failure of the server; a selected code is replaced', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', refusal(500, {}))
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '111111{Enter}')
    await waitFor(() => expect(redBox()).toHaveTextContent('Failed to verify OTP'))
    expect(codeField()).toHaveValue('111111')
    codeField().setSelectionRange(0, 6)
    fireEvent.select(codeField())
    await user.keyboard('40')
    expect(codeField()).toHaveValue('40')
    codeField().setSelectionRange(1, 1)
    fireEvent.select(codeField())
    expect(codeField().selectionStart).toBe(2)
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

  it('has no resend button after the server refused a resend as too many', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends,
      resendAfterSeconds: 0,
    })
    const user = await openLogin()
    await reachCode(user)
    const error = 'Maximum resend attempts reached. Please try again later.'
    server.post('/api/auth/request-otp', refusal(429, { error }))
    await user.click(screen.getByRole('button', { name: 'Resend code' }))
    await waitFor(() => expect(redBox()).toHaveTextContent(error))
    expect(screen.queryByRole('button', { name: 'Resend code' })).toBeNull()
    server.post('/api/auth/verify-otp', refusal(400, {}))
    await user.keyboard('111111{Enter}')
    await waitFor(() => expect(redBox()).toHaveTextContent('Invalid OTP'))
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

  it('shows the sentence of a refusal for too many sign-ins, and does not try again by itself', async () => {
    const sentence =
      'Too many people are signing in at the moment. Please try again in a few seconds.'
    answerKnownCustomer(server)
    server.post('/api/auth/request-otp', {
      userId: 'user-1',
      resendsLeft: maxResends,
      resendAfterSeconds: 0,
    })
    const user = await openLogin()
    await reachCode(user)
    let requests = 0
    server.post('/api/auth/request-otp', () => {
      requests += 1
      return HttpResponse.json(
        { error: sentence },
        { status: 503, headers: { 'Retry-After': '5' } },
      )
    })
    await user.click(screen.getByRole('button', { name: 'Resend code' }))
    await waitFor(() => expect(redBox()).toHaveTextContent(sentence))
    expect(requests).toBe(1)
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
  it('by a press beside it is possible only while no field is filled', async () => {
    const user = await openLogin()
    fireEvent.pointerDown(screen.getByRole('dialog'))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Login' }))
    await user.type(await screen.findByLabelText('Email'), email)
    fireEvent.pointerDown(screen.getByRole('dialog'))
    expect(screen.getByLabelText('Email')).toHaveValue(email)
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('clears every field and restores the focus', async () => {
    const user = await openLogin()
    await user.type(screen.getByLabelText('Email'), email)
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(screen.getByRole('button', { name: 'Login' })).toHaveFocus()
    await user.keyboard('{Enter}')
    expect(await screen.findByLabelText('Email')).toHaveValue('')
  })

  it('clears the code and its error', async () => {
    answerKnownCustomer(server)
    server.post('/api/auth/verify-otp', refusal(400, {}))
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '111111{Enter}')
    await waitFor(() => expect(redBox()).toHaveTextContent('Invalid OTP'))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(redBox()).toBeEmptyDOMElement()
    await reachCode(user)
    expect(codeField()).toHaveValue('')
  })

  it('clears the profile and the accepted terms', async () => {
    const user = await reachProfile()
    await user.type(screen.getByLabelText('Full name'), 'Dana')
    await user.click(terms())
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    await enterEmail(user, 'rosa@delmontecpa.example')
    expect(await screen.findByLabelText('Full name')).toHaveValue('')
    expect(terms()).not.toBeChecked()
  })

  it('while the code is checked signs in, and neither reloads nor continues', async () => {
    answerKnownCustomer(server)
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    server.post('/api/auth/verify-otp', async () => {
      await released
      return HttpResponse.json({ isVerified: true, isCustomer: false, needsProfileUpdate: false })
    })
    const user = await openLogin()
    await reachCode(user)
    await user.type(codeField(), '407192{Enter}')
    await user.keyboard('{Escape}')
    release()
    expect(await screen.findByRole('button', { name: `Account menu of ${email}` })).toBeVisible()
    expect(left.reloads).toBe(0)
  })
})

describe('a signed-in customer', () => {
  it('has a menu with Receivables above Past Purchases, and with Logout, which ends the session and reloads the page', async () => {
    localStorage.setItem('userEmail', session.email)
    server.post('/api/auth/logout', {})
    const { user } = openPage('/pricing')
    await user.click(await screen.findByRole('button', { name: `Account menu of ${email}` }))
    const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
    expect(names).toEqual(['Receivables', 'Past Purchases', 'Profile', 'Logout'])
    expect(screen.getByRole('menuitem', { name: 'Receivables' })).toHaveAttribute(
      'href',
      '/receivables',
    )
    expect(screen.getByRole('menuitem', { name: 'Past Purchases' })).toHaveAttribute(
      'href',
      '/purchases',
    )
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
    await waitFor(() => expect(left.reloads).toBe(1))
    expect(localStorage.getItem('userEmail')).toBeNull()
    expect(server.calls[0]?.headers.get('x-requested-with')).toBe('fetch')
  })

  it('moves in the menu with the arrow keys; Escape returns the focus', async () => {
    localStorage.setItem('userEmail', email)
    const { user } = openPage('/pricing')
    const button = await screen.findByRole('button', { name: `Account menu of ${email}` })
    expect(button).toHaveTextContent('D')
    expect(button).toHaveAttribute('aria-haspopup', 'menu')
    button.focus()
    await user.keyboard('{ArrowDown}')
    const item = (name: string) =>
      screen.getByRole(['System', 'Light', 'Dark'].includes(name) ? 'menuitemradio' : 'menuitem', {
        name,
      })
    expect(item('Receivables')).toHaveFocus()
    for (const [key, name] of [
      ['ArrowDown', 'Past Purchases'],
      ['ArrowDown', 'Profile'],
      ['ArrowDown', 'System'],
      ['ArrowDown', 'Light'],
      ['ArrowDown', 'Dark'],
      ['ArrowDown', 'Logout'],
      ['ArrowDown', 'Receivables'],
      ['ArrowUp', 'Logout'],
      ['Home', 'Receivables'],
      ['End', 'Logout'],
    ] as const) {
      await user.keyboard(`{${key}}`)
      expect(item(name)).toHaveFocus()
    }
    expect(item('Profile')).toHaveAttribute('href', '/profile')
    await user.keyboard('{Escape}')
    expect(button).toHaveFocus()
    expect(button).toHaveAttribute('aria-expanded', 'false')
    expect(screen.queryByRole('menu')).toBeNull()
  })

  it('has one of six colours, always the same for an address', async () => {
    const colours = new Map<string, Set<string>>()
    for (const address of ['a', 'b', 'c', 'd', 'e', 'f', 'a', 'b'].map(
      (name) => `${name}@x.example`,
    )) {
      localStorage.setItem('userEmail', address)
      openPage('/pricing')
      const { className } = await screen.findByRole('button', {
        name: `Account menu of ${address}`,
      })
      colours.set(address, (colours.get(address) ?? new Set()).add(className))
      cleanup()
    }
    const seen = [...colours.values()].map((classes) => [...classes])
    expect(seen.every((classes) => classes.length === 1)).toBe(true)
    expect(new Set(seen.flat()).size).toBe(6)
  })

  it.each([
    ['cannot be reached', unreachable],
    ['fails', refusal(503, {})],
  ])('is logged out in this browser if the server %s, and sees what remains', async (_, answer) => {
    localStorage.setItem('userEmail', email)
    server.post('/api/auth/logout', answer)
    const { user } = openPage('/pricing')
    await user.click(await screen.findByRole('button', { name: `Account menu of ${email}` }))
    await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'You are logged out in this browser, but the server could not end your session.',
    )
    expect(localStorage.getItem('userEmail')).toBeNull()
    expect(screen.getByRole('button', { name: 'Login' })).toBeVisible()
    expect(left.reloads).toBe(0)
  })
})
