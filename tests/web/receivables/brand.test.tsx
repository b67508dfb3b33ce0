import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { BrandResponse } from '#contracts/receivables/brand'
import { email, session } from '../support/auth-answers.ts'
import { startApiServer } from '../support/api-server.ts'
import { aBrand, aPreview } from '../support/messages-data.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/brand/brand-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/brand'

async function open(over: Partial<BrandResponse> = {}): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get(path, aBrand(over))
  server.post('/api/receivables/templates/preview', aPreview)
  openPage('/receivables/brand')
  await screen.findAllByText('$840.00')
}

const save = () => screen.getByRole('button', { name: 'Save brand' })
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the brand', () => {
  it('is shown in mail, page and text, and is not saved without a change', async () => {
    await open()
    for (const name of ['E-mail', "Client's page"])
      expect(screen.getByRole('article', { name })).toHaveTextContent('Alder Dental')
    expect(screen.getByRole('group', { name: 'Text' })).toHaveTextContent(/^Alder Dental:/)
    expect(screen.getByText('White text on it: 8.0 to 1.')).toBeVisible()
    expect(save()).toBeDisabled()
  })

  it('is saved as a whole, with the version that the page showed', async () => {
    await open()
    type('Color', '#FFE066')
    expect(screen.getByText(/Edges on white are #857435, because the color is pale/)).toBeVisible()
    type('Sender name', 'Alder of Eugene')
    expect(screen.getByText(/^We approve another name/)).toBeVisible()
    type('Replies go to', 'front@alderdental.example')
    server.post(path, aBrand({ version: 4, senderName: 'Alder of Eugene' }))
    fireEvent.click(save())
    await waitFor(() => expect(save()).toBeDisabled())
    expect(server.sentTo(path)).toContainEqual({
      version: 3,
      color: '#FFE066',
      logo: { type: 'keep' },
      senderName: 'Alder of Eugene',
      replyTo: 'front@alderdental.example',
      postalAddress: null,
    })
  })

  it('shows what is wrong with a field, and is not saved with it', async () => {
    await open()
    type('Color', 'red')
    expect(screen.getByText('A color has six digits, such as #3B4A9B.')).toBeVisible()
    type('Replies go to', 'front@')
    expect(screen.getByLabelText('Replies go to')).toBeInvalid()
    expect(save()).toBeDisabled()
  })

  it('takes a PNG as a logo, and no SVG and no large file', async () => {
    await open({ logo: null })
    const input = screen.getByLabelText('File of the logo')
    const choose = (file: File) => fireEvent.change(input, { target: { files: [file] } })
    choose(new File(['<svg/>'], 'leaf.svg', { type: 'image/svg+xml' }))
    expect(screen.getByText('Choose a PNG, JPEG or WebP file.')).toBeVisible()
    choose(new File([new Uint8Array(512 * 1024 + 1)], 'big.png', { type: 'image/png' }))
    expect(screen.getByText(/^The logo has 512 kB at most/)).toBeVisible()
    choose(new File(['png'], 'leaf.png', { type: 'image/png' }))
    expect(await screen.findByRole('img', { name: 'Your logo' })).toHaveAttribute(
      'src',
      `data:image/png;base64,${btoa('png')}`,
    )
    server.post(path, { status: 400, json: { error: 'The file of the logo is damaged.' } })
    fireEvent.click(save())
    expect(await screen.findByText('The file of the logo is damaged.')).toBeVisible()
    expect(server.sentTo(path)).toContainEqual(
      expect.objectContaining({ logo: { type: 'image', content: btoa('png') } }),
    )
  })

  it('says that a sender name waits for approval', async () => {
    await open({ senderName: 'Alder of Eugene', senderNameState: 'waits' })
    expect(
      screen.getByText('It waits for approval. Until then your clients see Alder Dental.'),
    ).toBeVisible()
  })

  it('can be read without a plan, and not changed', async () => {
    await open({ access: withoutPlan })
    expect(screen.getByLabelText('Sender name')).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: 'Save brand' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Replace' })).toBeNull()
  })
})
