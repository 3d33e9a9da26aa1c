import { apiAddress } from '../../contract/api-address.ts'
import { noteAnswer, noteNoAnswer } from './connection.ts'

/** For what the device sends by itself; notes whether the server answered, for which a captive portal's page does not count. */
export async function deviceFetch(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(apiAddress(path), init)
    if ((response.headers.get('content-type') ?? '').includes('json')) noteAnswer(response.status)
    else noteNoAnswer()
    return response
  } catch (error) {
    noteNoAnswer()
    throw error
  }
}
