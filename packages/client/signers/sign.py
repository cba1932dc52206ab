# Signs an image URL of either form. `expires`, in Unix seconds, may be absent.
import base64, hashlib, hmac, re
from urllib.parse import parse_qsl, quote, unquote, urlsplit

NAMES = "alt avoid color crop height label lang license onmiss pick provider query seed style upto variation visibility width".split()

SHORT = {"q": "query", "w": "width", "h": "height"}


def full_name(name):
    name = re.sub(r"^(amp;)+", "", name)
    return SHORT.get(name, name)


def sign(url, signer_id, secret, expires=""):
    parts = urlsplit(url)
    given = {full_name(name): value for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    values = {name: value for name, value in given.items() if name in NAMES}
    segment = re.sub(r"(?i)\.(jpe?g|webp|avif|png|gif|svg|bmp|tif)$", "", unquote(parts.path.partition("/api/image/")[2]))
    if path := re.fullmatch(r"(?s)([0-9]+)x([0-9]+)(?:[-_+/ ](.*))?", segment):
        words = re.sub(r"[-_+/ ]+", " ", path[3] or "").strip(" ")
        values.update(width=path[1], height=path[2], query=words)
    unsigned = ("width", "height") if "upto" in values else ()
    canonical = "&".join(f"{name}={quote(values[name], safe='')}" for name in sorted(values) if name not in unsigned)
    message = f"image-redirect/v1\n{signer_id}\n{expires}\n{canonical}".encode()
    mac = hmac.new(base64.urlsafe_b64decode(secret[9:52] + "="), message, hashlib.sha256).digest()
    signature = base64.urlsafe_b64encode(mac[:16]).decode().rstrip("=")
    end = f"&expires={expires}" if expires else ""
    return f"{url}{'&' if '?' in url else '?'}signer={signer_id}{end}&signature={signature}"
