import { HttpError } from '#server/kit/http-error.ts';

/** What a buyer said cannot be taken as it is: the lead stays open, and the message tells the buyer, and whoever settles it, why. */
export class SettlementRefused extends HttpError {
  constructor(code: `settlement_${string}`, message: string, statusCode = 409) {
    super(statusCode, code, message);
  }
}
