import { expect, it, jest } from '@jest/globals'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { lazyDetails } from '../../web/features/admin/table/lazy-details.tsx'
import { browser } from '../../web/lib/browser.ts'

interface Props {
  readonly name: string
}

it('details show that they load, and then themselves', async () => {
  const Lazy = lazyDetails<Props>(
    async () =>
      ({ name }) =>
        `Details of ${name}`,
  )
  render(<Lazy name="Dana" />)
  expect(screen.getByRole('status')).toHaveTextContent('Loading the details...')
  expect(await screen.findByText('Details of Dana')).toBeInTheDocument()
})

it('details whose code does not load show a sentence in their place, and a reload', async () => {
  const reload = jest.spyOn(browser, 'reload').mockReturnValue()
  const Lazy = lazyDetails<Props>(() => Promise.reject(new TypeError('Failed to fetch')))
  render(<Lazy name="Dana" />)
  expect(await screen.findByRole('alert')).toHaveTextContent(/^The details could not be loaded/)
  await userEvent.click(screen.getByRole('button', { name: 'Reload' }))
  expect(reload).toHaveBeenCalledTimes(1)
  reload.mockRestore()
})
