/** The environment by way of wasi:cli. */
import { getEnvironment } from "wasi:cli/environment@0.2.12";
import { call, NO_CALL } from "../call.js";

export function variables(): Map<string, string> {
  if (call() === NO_CALL) {
    throw new Error("the environment is to be asked during a call; outside of one, it is that of the build");
  }
  return new Map(getEnvironment());
}
