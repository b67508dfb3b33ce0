import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import { changeStored } from '../../web/lib/stored-values.ts'
import { anAccount, laptop, phone } from './support/account-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { answerKnownCustomer, email } from './support/auth-answers.ts'
import { fillProfile } from './support/fill-profile.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { enter } from './support/fill-in.ts'

preload(
  () => import('../../web/features/profile/profile-page.tsx'),
  () => import('../../web/features/auth/login-dialog.tsx'),
)

const server = startApiServer()

/** Opens the profile of a signed-in customer. `changeAnswers` replaces answers before. */
function openProfile(changeAnswers: () => void = () => {}) {
  changeStored({ userEmail: email, businessName: 'Birchwood Dental Group' })
  server.get('/api/profile', anAccount())
  server.get('/api/auth/sessions', { sessions: [laptop, phone] })
  changeAnswers()
  return openPage('/profile')
}

const panel = async (name: string) => within(await screen.findByRole('region', { name }))
const dialog = async (name: string) => within(await screen.findByRole('dialog', { name }))
const change = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the profile page', () => {
  it('shows a loading text, then the profile; search engines do not list it', async () => {
    openProfile()
    await screen.findByText('Loading your profile...')
    expect(await screen.findByLabelText('Company name')).toHaveValue('Birchwood Dental Group')
    expect(screen.getByLabelText('Website link')).toHaveValue('')
    expect(screen.getByLabelText('State')).toHaveValue('Minnesota')
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
    expect(document.title).toBe('Profile | Agile Receivables')
  })

  it('leads a visitor through the login to the profile', async () => {
    const { user, path, search } = openPage('/profile?from=mail')
    const login = await screen.findByRole('dialog', { name: 'Log in or sign up' })
    expect(login).toHaveTextContent('Log in to continue to your profile.')
    expect(server.calls).toEqual([])
    answerKnownCustomer(server)
    server.get('/api/profile', anAccount())
    server.get('/api/auth/sessions', { sessions: [laptop] })
    await enter(user, screen.getByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    expect(await screen.findByLabelText('Company name')).toHaveValue('Birchwood Dental Group')
    expect(path() + search()).toBe('/profile?from=mail')
  })

  it('shows that loading failed, and loads again on Retry', async () => {
    const { user } = openProfile(() => server.get('/api/profile', refusal(500, {})))
    await screen.findByRole('region', { name: 'Your profile could not be loaded' })
    server.get('/api/profile', anAccount())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByLabelText('Full name')).toHaveValue('Dana Whitlock')
    expect(screen.getByRole('heading', { name: 'Profile' })).toHaveFocus()
  })
})

describe('the company profile', () => {
  it('can be saved only when it is changed and complete', async () => {
    openProfile()
    const form = await panel('Company profile')
    const save = await form.findByRole('button', { name: 'Save' })
    expect(save).toBeDisabled()
    change('Full name', ' Dana Whitlock ')
    expect(save).toBeDisabled()
    change('Full name', 'Dana W. Whitlock')
    expect(save).toBeEnabled()
    change('ZIP code', '')
    expect(save).toBeDisabled()
    fireEvent.click(form.getByRole('button', { name: 'Discard changes' }))
    expect(screen.getByLabelText('ZIP code')).toHaveValue('55802')
    expect(screen.getByRole('heading', { name: 'Company profile' })).toHaveFocus()
    expect(screen.getByLabelText('Full name')).toHaveValue('Dana Whitlock')
    expect(save).toBeDisabled()
  })

  it('is saved without the terms, and removes an optional value that was deleted', async () => {
    const { user } = openProfile()
    const { profile } = anAccount()
    server.patch('/api/profile', {
      ...anAccount(),
      profile: profile && { ...profile, company_name: 'Birchwood Dental', city: null },
    })
    await screen.findByLabelText('City')
    change('Company name', 'Birchwood Dental')
    change('City', '')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Your profile is saved.')
    expect(screen.getByRole('heading', { name: 'Company profile' })).toHaveFocus()
    expect(server.sentTo('/api/profile').at(1)).toEqual({
      profile_version: 'version-1',
      full_name: 'Dana Whitlock',
      company_name: 'Birchwood Dental',
      domain: 'Dental',
      address: '418 Orchard Lane, Suite 2',
      state: 'Minnesota',
      zipcode: '55802',
      support_email: 'help@birchwooddental.example',
      support_phone: '(218) 555-0147',
    })
    expect(localStorage.getItem('businessName')).toBe('Birchwood Dental')
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  })

  it('that another window changed meanwhile keeps what was typed, says so, and is saved then', async () => {
    const { user } = openProfile()
    await screen.findByLabelText('City')
    change('Full name', 'Dana W. Whitlock')
    change('ZIP code', '55803')
    const { profile } = anAccount()
    const other = anAccount({
      profile: profile && { ...profile, city: 'Ely', zipcode: '55731' },
      profile_version: 'version-2',
    })
    server.get('/api/profile', other)
    server.patch('/api/profile', refusal(409, { error: 'Changed.', field: 'profile_version' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Your profile was changed in another window meanwhile, so nothing was saved. Your changes are kept here, with the other ones.',
    )
    expect(screen.getByLabelText('Full name')).toHaveValue('Dana W. Whitlock')
    expect(screen.getByLabelText('City')).toHaveValue('Ely')
    expect(screen.getByLabelText('ZIP code')).toHaveValue('55803')
    expect(screen.getByLabelText('ZIP code')).toHaveAccessibleDescription('Saved meanwhile: 55731')
    expect(screen.getByLabelText('ZIP code')).toHaveFocus()

    server.patch('/api/profile', { ...other, profile_version: 'version-3' })
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Your profile is saved.')
    expect(server.sentTo('/api/profile').findLast((body) => body !== undefined)).toMatchObject({
      full_name: 'Dana W. Whitlock',
      city: 'Ely',
      zipcode: '55803',
      profile_version: 'version-2',
    })
  })

  it('keeps what was typed if the session ends, and the same customer logs in again', async () => {
    const { user } = openProfile()
    await screen.findByLabelText('City')
    change('City', 'Ely')
    answerKnownCustomer(server)
    server.patch('/api/profile', refusal(401, { error: 'You need to be logged in' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    const login = await screen.findByRole('dialog', { name: 'Log in or sign up' })
    expect(screen.getByLabelText('City')).not.toBeVisible()
    await enter(user, within(login).getByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await waitFor(() => expect(screen.getByLabelText('City')).toBeVisible())
    expect(screen.getByLabelText('City')).toHaveValue('Ely')
    expect(screen.getByRole('alert')).toHaveTextContent(
      'Your session ended before your changes were saved. They are kept here: save them now.',
    )
    const { profile } = anAccount()
    server.patch('/api/profile', anAccount({ profile: profile && { ...profile, city: 'Ely' } }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText('Your profile is saved.')
  })

  it('shows nothing that was typed to another customer', async () => {
    const { user } = openProfile()
    await screen.findByLabelText('City')
    change('City', 'Ely')
    answerKnownCustomer(server)
    server.patch('/api/profile', refusal(401, { error: 'You need to be logged in' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByRole('dialog', { name: 'Log in or sign up' })
    await enter(user, screen.getByLabelText('Email'), 'rosa@delmontecpa.example')
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await waitFor(() => expect(screen.getByLabelText('City')).toHaveValue('Duluth'))
    expect(screen.queryByText(/^Your session ended/)).toBeNull()
  })

  it('shows an invalid value at its field, which gets the focus, before any request', async () => {
    const { user } = openProfile()
    await screen.findByLabelText('ZIP code')
    change('ZIP code', '558')
    change('Website link', 'ftp://birchwood.example')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(screen.getByLabelText('Website link')).toHaveAccessibleDescription(
      'Website link must start with http:// or https://.',
    )
    expect(screen.getByLabelText('Website link')).toHaveFocus()
    expect(screen.getByLabelText('ZIP code')).toBeInvalid()
    change('ZIP code', '55803')
    expect(screen.getByLabelText('ZIP code')).toBeValid()
    expect(screen.getByLabelText('Website link')).toHaveFocus()
    expect(server.calls.every(({ body }) => body === undefined)).toBe(true)
  })

  it.each([
    [
      refusal(400, { error: 'Full name is too long.', field: 'full_name' }),
      'Full name is too long.',
      () => screen.getByLabelText('Full name'),
    ],
    [
      refusal(500, {}),
      'Your profile could not be saved. Try again.',
      () => screen.getByRole('alert'),
    ],
    [unreachable, 'Your profile could not be saved. Try again.', () => screen.getByRole('alert')],
  ])(
    'keeps the values and focuses the error if the server refuses (%#)',
    async (answer, text, focused) => {
      const { user } = openProfile()
      server.patch('/api/profile', answer)
      await screen.findByLabelText('Full name')
      change('Full name', 'Dana W. Whitlock')
      await user.click(screen.getByRole('button', { name: 'Save' }))
      await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(text))
      expect(focused()).toHaveFocus()
      expect(screen.getByLabelText('Full name')).toHaveValue('Dana W. Whitlock')
      expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
    },
  )

  it('is completed in the sign-up form, with the terms, if there is none yet', async () => {
    const { user } = openProfile(() => server.get('/api/profile', anAccount({ profile: null })))
    server.get('/api/auth/session', refusal(503, {}))
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    await user.click(await screen.findByRole('button', { name: 'Complete your profile' }))
    await screen.findByRole('dialog', { name: 'Complete Your Profile' })
    fillProfile()
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await waitFor(() => expect(left.reloads).toBe(1))
  })
})

describe('the e-mail addresses', () => {
  it('removes the secondary address after a confirmation', async () => {
    const { user } = openProfile()
    const addresses = await panel('E-mail addresses')
    expect(addresses.getByText(email)).toBeVisible()
    await user.click(await addresses.findByRole('button', { name: 'Remove' }))
    const asked = await dialog('Remove the secondary e-mail?')
    await user.click(asked.getByRole('button', { name: 'Cancel' }))
    expect(addresses.getByRole('button', { name: 'Remove' })).toHaveFocus()
    await user.keyboard('{Enter}')
    server.post('/api/profile/remove-secondary-email', refusal(503, {}))
    const again = await dialog('Remove the secondary e-mail?')
    await user.click(again.getByRole('button', { name: 'Remove' }))
    await waitFor(() =>
      expect(again.getByRole('alert')).toHaveTextContent(
        'The secondary e-mail could not be removed. Try again.',
      ),
    )
    server.post('/api/profile/remove-secondary-email', {})
    server.get('/api/profile', anAccount({ secondary_email: null }))
    await user.click(again.getByRole('button', { name: 'Remove' }))
    await screen.findByText('The secondary e-mail is removed.')
    expect(await addresses.findByText('None')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'E-mail addresses' })).toHaveFocus()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('leave the primary address as the stored one after the removal of the other', async () => {
    const { user } = openProfile()
    changeStored({ userEmail: 'billing@birchwooddental.example' })
    server.post('/api/profile/remove-secondary-email', {})
    await user.click(await screen.findByRole('button', { name: 'Remove' }))
    const asked = await dialog('Remove the secondary e-mail?')
    await user.click(asked.getByRole('button', { name: 'Remove' }))
    await screen.findByText('The secondary e-mail is removed.')
    expect(localStorage.getItem('userEmail')).toBe(email)
    await screen.findByLabelText('Full name')
    expect(screen.getByRole('heading', { name: 'Profile' })).toHaveFocus()
  })

  it('says that support adds a secondary address', async () => {
    openProfile(() => server.get('/api/profile', anAccount({ secondary_email: null })))
    const addresses = await panel('E-mail addresses')
    expect(
      await addresses.findByText(/To add a second address to log in with, write to support/),
    ).toBeVisible()
    expect(addresses.getByRole('link')).toHaveAttribute('href', 'mailto:support@example.com')
    expect(addresses.queryByRole('button')).toBeNull()
  })
})

describe('the sessions', () => {
  it('show browser, sign-in, last use and this device', async () => {
    openProfile()
    const sessions = await panel('Your sessions')
    const [first, second] = await sessions.findAllByRole('listitem')
    expect(first).toHaveTextContent(
      'Firefox on Windows This deviceSigned in Mar 12, 2026, 9:12 AM UTCLast seen Mar 21, 2026, 3:00 PM UTC',
    )
    expect(second).toHaveTextContent('Unknown browser')
    expect(second).not.toHaveTextContent('This device')
  })

  it('end one by one', async () => {
    const { user } = openProfile()
    server.post('/api/auth/sessions/:id/end', unreachable)
    const out = await screen.findByRole('button', { name: 'Sign out Unknown browser' })
    await user.click(out)
    await screen.findByText('The session could not be ended. Try again.')
    await waitFor(() => expect(out).not.toHaveAttribute('aria-busy'))
    server.post('/api/auth/sessions/:id/end', {})
    server.get('/api/auth/sessions', { sessions: [laptop] })
    await user.click(out)
    await waitFor(() => expect(out).not.toBeInTheDocument())
    expect(screen.getByRole('heading', { name: 'Your sessions' })).toHaveFocus()
    expect(localStorage.getItem('userEmail')).toBe(email)
  })

  it('lead to the landing page if the session of this device ends', async () => {
    const { user, path } = openProfile()
    server.post('/api/auth/sessions/:id/end', {})
    await user.click(
      await screen.findByRole('button', { name: 'Sign out Firefox on Windows, this device' }),
    )
    await waitFor(() => expect(path()).toBe('/'))
    expect(localStorage.getItem('userEmail')).toBeNull()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('end everywhere after a confirmation', async () => {
    const { user, path } = openProfile()
    server.post('/api/auth/sign-out-everywhere', {})
    await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }))
    const asked = await dialog('Sign out everywhere?')
    expect(asked.getByText(/2 sessions end, also the session of this device/)).toBeVisible()
    await user.click(asked.getByRole('button', { name: 'Sign out everywhere' }))
    await screen.findByText('You are signed out everywhere.')
    await waitFor(() => expect(path()).toBe('/'))
  })

  it('show a failed request and load again on Retry, while the profile stays', async () => {
    const { user } = openProfile(() => server.get('/api/auth/sessions', refusal(500, {})))
    const sessions = await panel('Your sessions')
    await sessions.findByRole('alert')
    server.get('/api/auth/sessions', { sessions: [laptop] })
    await user.click(sessions.getByRole('button', { name: 'Retry' }))
    expect(await sessions.findByText('Firefox on Windows')).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Your sessions' })).toHaveFocus()
    expect(screen.getByLabelText('Full name')).toHaveValue('Dana Whitlock')
  })
})

describe("the customer's data", () => {
  const file = (status = 200) =>
    HttpResponse.json(
      {},
      {
        status,
        headers: { 'Content-Disposition': 'attachment; filename=my-data-2026-03-21.json' },
      },
    )

  it('is saved as a file with the name that the server gives', async () => {
    const { user } = openProfile()
    server.get('/api/profile/data', () => file())
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    await waitFor(() => expect(left.files).toEqual(['my-data-2026-03-21.json']))
  })

  it("shows the server's sentence instead of saving a refusal", async () => {
    const { user } = openProfile()
    const error = 'You have downloaded your data too often. Please wait 40 minutes.'
    server.get('/api/profile/data', refusal(429, { error }))
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    await screen.findByText(error)
    expect(left.files).toEqual([])
  })

  it('offers a login if the session has ended', async () => {
    const { user, path } = openProfile()
    server.get('/api/profile/data', refusal(401, {}))
    await user.click(await screen.findByRole('button', { name: 'Download my data' }))
    await screen.findByRole('dialog', { name: 'Log in or sign up' })
    expect(path()).toBe('/profile')
  })
})

describe('deleting the account', () => {
  it('needs the e-mail address, and shows the refusal of the server', async () => {
    const { user, path } = openProfile()
    const error = 'Your account was not deleted: a plan could not be ended at the payment provider.'
    server.post('/api/profile/delete', refusal(502, { error }))
    await user.click(await screen.findByRole('button', { name: 'Delete account' }))
    const asked = await dialog('Delete your account?')
    expect(asked.getByText('This cannot be undone.')).toBeVisible()
    expect(asked.getByText(/^Your plan ends at once/)).toBeVisible()
    const confirm = asked.getByRole('button', { name: 'Delete account' })
    const field = asked.getByLabelText(`Type ${email} to confirm`)
    expect(field).toHaveFocus()
    expect(confirm).toBeDisabled()
    await user.type(field, 'rosa@delmontecpa.example{Enter}')
    expect(confirm).toBeDisabled()
    fireEvent.change(field, { target: { value: ` ${email.toUpperCase()} ` } })
    expect(confirm).toBeEnabled()
    await user.click(confirm)
    await waitFor(() => expect(asked.getByRole('alert')).toHaveTextContent(error))
    expect(localStorage.getItem('userEmail')).toBe(email)
    server.post('/api/profile/delete', {})
    await user.click(confirm)
    await screen.findByText('Your account is deleted.')
    await waitFor(() => expect(path()).toBe('/'))
    expect(Object.keys(localStorage)).toEqual([])
    expect(server.sentTo('/api/profile/delete')).toHaveLength(2)
  })
})
