"""Log-ins: what is sent for tokens, and the tokens."""

from pydantic import Field

from shipcli.models.base import Model


class TokenObtainPair(Model):
    """Who wants tokens."""

    email: str
    password: str = Field(repr=False)


class TokenRefresh(Model):
    """A refresh token, for a new pair."""

    refresh: str = Field(repr=False)


class VerifiedTokenObtainPair(TokenRefresh):
    """The same with the code of the second step."""

    otp_token: str = Field(repr=False)


class TokenVerify(Model):
    """A token of either kind, to be looked at."""

    token: str = Field(repr=False)


class TokenPair(Model):
    """A token for calls, and one for the next pair."""

    access: str = Field(repr=False)
    refresh: str = Field(repr=False)
