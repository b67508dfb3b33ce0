import { describe, expect, it } from '@jest/globals'
import { explainFileError } from '#services/foundation/explain-file-error'
import { StartupError } from '#services/foundation/startup-error'

const failure = (code: string, syscall: string, path = '/srv/data') =>
  Object.assign(new Error(code), { code, syscall, path })

describe('a data directory that the file system refuses', () => {
  it.each([
    ['EROFS', 'mkdir', /\/srv\/data is on a read-only file system: set DATA_DIR/],
    [
      'EACCES',
      'mkdir',
      /\/srv\/data cannot be read and written by this user\. Run as the owner of the directory, or set DATA_DIR/,
    ],
    ['EPERM', 'chown', /\/srv\/data cannot be read and written by this user/],
    ['EPERM', 'mkdir', /file system of \/srv\/data does not accept new directories: set DATA_DIR/],
    ['ENOENT', 'mkdir', /file system of \/srv\/data does not accept new directories: set DATA_DIR/],
    ['ENOSPC', 'write', /disk that holds \/srv\/data is full/],
  ])(
    'gives one sentence with the reason and the setting for %s from %s',
    (code, syscall, sentence) => {
      const explained = explainFileError(failure(code, syscall), '/srv/data')
      expect(explained).toBeInstanceOf(StartupError)
      expect((explained as StartupError).message).toMatch(sentence)
    },
  )

  it('gives the path of the file that blocks the directory, not the path of the directory', () => {
    expect(explainFileError(failure('EEXIST', 'mkdir', '/srv'), '/srv/data')).toMatchObject({
      message: expect.stringMatching(/^\/srv is not a directory/),
    })
  })

  it('returns an error of the program unchanged', () => {
    const error = failure('ENOENT', 'open')
    expect(explainFileError(error, '/srv/data')).toBe(error)
  })
})
