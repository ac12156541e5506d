// @ts-expect-error there is no such file
import "./none.js";
