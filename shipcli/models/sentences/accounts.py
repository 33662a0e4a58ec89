"""Connections with carriers, log-in and webhooks."""

from collections.abc import Mapping

SENTENCES = {
    "display_name": "The carrier's name for people.",
    "credentials": (
        "What the carrier gave you to log in; its fields are those of the carrier in `/v1/carriers`. "
        "Stored sealed."
    ),
    "capabilities": (
        "What the connection is used for, of rating, shipping, tracking, pickup, manifest and paperless; "
        "empty for all."
    ),
    "Connection.carrier_id": "The name that you gave the connection; other objects refer to it.",
    "Connection.config": (
        "Settings of the connection by name, such as `label_type`; `config_fields` lists them."
    ),
    "Connection.is_system": "True for connections of the installation, whose credentials are not shown.",
    "Connection.active": "False takes the connection out of use; it stays stored.",
    "ConnectionPatch.carrier_name": "The carrier by its slug, such as `ups`; it cannot be changed later.",
    "ConnectionPatch.carrier_id": "A name of your own for the connection, by which requests choose it.",
    "ConnectionPatch.config": (
        "Settings by name, such as `label_type`; `config_fields` of the carrier lists them, null removes one."
    ),
    "ConnectionPatch.active": "False takes the connection out of use; it stays stored.",
    "CarrierDetails.capabilities": (
        "What can be done with the carrier: rating, shipping, tracking, pickup, manifest, paperless."
    ),
    "CarrierDetails.connection_fields": (
        "The credentials that a connection needs, each with its type and whether it is required."
    ),
    "CarrierDetails.config_fields": (
        "The settings that a connection may have, each with its type and allowed values."
    ),
    "CarrierDetails.integration_status": "How far tried it is: in-development, beta or production-ready.",
    "CarrierDetails.held_against": (
        "The documents of the carrier, with their versions, that this program was compared with."
    ),
    "CarrierDetails.held_on": "The day of that comparison.",
    "TokenObtainPair.email": "E-mail address of the user.",
    "TokenObtainPair.password": "Password of the user; after some wrong ones logging in is slowed down.",
    "access": "Goes into `Authorization: Bearer ...`; valid for half an hour.",
    "refresh": "Gets a new pair of tokens from `/api/token/refresh`; valid for three days.",
    "otp_token": "The code of six digits that the user's authenticator app shows.",
    "TokenVerify.token": "The access or refresh token to check.",
    "TokenRefresh.access": "Not read: older clients send it.",
    "Webhook.url": "Where events are sent, by http or https; redirects are not followed.",
    "Webhook.description": "Your remark on the webhook.",
    "enabled_events": "The events to send, by name; `all` for every one.",
    "Webhook.disabled": (
        "True if nothing is sent: you said so, or more than five events in a row were given up."
    ),
    "WebhookPatch.url": "Where to send events, by http or https; redirects are not followed.",
    "WebhookPatch.description": "Your remark on the webhook.",
    "WebhookPatch.disabled": "True stops sending; false starts it again, with what waits.",
    "last_event_at": "When the last event was accepted, in UTC; null before the first.",
    "secret": (
        "Key of the signature in each delivery (HMAC-SHA256); compare it before you believe a delivery."
    ),
    "WebhookTestData.payload": "What the test sends to the receiver, any JSON object.",
}

# Credentials by name; what a carrier calls its own is explained where the name does not.
CREDENTIALS: Mapping[str, str] = {
    "username": "User name of the carrier's API.",
    "password": "Password of the carrier's API.",
    "account_number": "Number of your account, to which the carrier bills.",
    "account": "Code of your account, to which the carrier bills.",
    "api_key": "Key of the carrier's API.",
    "account_country_code": (
        "Country of the account by two letters; shipments that start elsewhere are not rated with it."
    ),
    "services": "The services that your contract has, by name; empty for all.",
    "client_id": "Public part of your application's key (OAuth2).",
    "client_secret": "Secret part of your application's key (OAuth2).",
    "language": "Language of the carrier's texts.",
    "language_code": "Language of the carrier's texts.",
    "message_language": "Language of the carrier's texts.",
    "lang": "Language of the carrier's texts.",
    "service_type": "Kind of service that your contract has.",
    "seller_id": "Your number as a seller.",
    "developer_id": "Your number as a developer.",
    "mws_auth_token": "Token of the older interface, which some clients still send.",
    "aws_region": "Region of the servers, such as `us-east-1`.",
    "refresh_token": "Long-lived token from which access is renewed.",
    "shipping_business_id": "Which marketplace's shipping business the account is of.",
    "account_pin": "PIN of your account.",
    "account_entity": "Branch of the carrier that keeps your account, by three letters.",
    "account_id": "Number of your account, and user name of the API.",
    "passphrase": "Passphrase of the carrier's API.",
    "customer_number": "Your customer number.",
    "region": "Region of the facility where your parcels are handed over.",
    "carrier_ids": "Accounts at the hub that are asked for prices; without any all of them are.",
    "mandator_id": "Number of the mandator whose contract pays for the parcels.",
    "consigner_id": "Number of the sender's address that the carrier keeps for you.",
    "org_unit_id": "Number of your organisation unit at the carrier.",
    "org_unit_guid": "GUID of your organisation unit, which is its password.",
    "dpd_login": "User name that your DPD business unit gave you.",
    "dpd_password": "Password of that user.",
    "dpd_client_id": "Id of your application, where the business unit works with applications.",
    "dpd_client_secret": "Secret of that application.",
    "dpd_bucode": "The business unit by three digits; by default that of the account's country.",
    "customer_account_number": "Number of the account that is billed; by default your customer number.",
    "customer_sub_account_number": "Number of the sub-account, if you have several.",
    "contact_id": "The contact that the carrier gave you, in whose name labels are made.",
    "customer_id": "Your customer number.",
    "contract_id": "Number of your contract; without one you pay counter prices.",
    "contract_number": "Number of your contract, and user name of the API.",
    "id_emit": "Sender number that the carrier gave you.",
    "laposte_api_key": "Key of the tracking API of La Poste.",
    "site_id": "Site ID of the carrier's XML services.",
    "dhl_api_key": "Key of your application in DHL's developer portal.",
    "dhl_api_secret": "Secret of that application; pickups need it.",
    "tracking_consumer_key": "Key of the tracking application in DHL's developer portal.",
    "tracking_consumer_secret": "Secret of the tracking application in DHL's developer portal.",
    "consumer_key": "Public part of your application's key.",
    "consumer_secret": "Secret part of your application's key.",
    "billing_account": "Number of the account that is billed.",
    "delis_id": "DELIS user name.",
    "depot": "Number of the depot that collects.",
    "app_id": "Name of your application in the developer portal.",
    "app_token": "Token of your application in the developer portal.",
    "zt_id": "User name of the tracking service.",
    "zt_password": "Password of the tracking service.",
    "access_token": "Token of the carrier's API.",
    "principal": "User name of the carrier's API.",
    "credential": "Password of the carrier's API.",
    "secret_key": "Secret part of the key for rates and labels.",
    "service_point_key": "Key of the service point locator, which DHL gives to an account that asks for it.",
    "track_api_key": "Key of the tracking API, which has one of its own.",
    "track_secret_key": "Secret part of the key of the tracking API.",
    "meter_number": "Number of your meter.",
    "user_key": "Key of the carrier's web services.",
    "display_name": "The name of your carrier for people.",
    "custom_carrier_name": "The slug of your carrier: lower-case letters, digits and underscores.",
    "label_template": "How labels look: a template in ZPL or SVG with its size.",
    "identifier": "Your number with the carrier, used to sign requests.",
    "code_client": "Your customer code.",
    "customer_type": "Kind of customer that you are to the carrier.",
    "user_token": "Token of your software with the carrier.",
    "shipping_account_id": "Id of the carrier's account within the hub.",
    "sapient_carrier_code": "The carrier behind the hub, by its code.",
    "access_key": "Key of the carrier's API.",
    "sendle_id": "Your Sendle ID, the user name of the API.",
    "account_type": "What your account pays with, such as EPS.",
    "manifest_MID": "Mailer ID that manifests carry.",
    "CRID": "Customer Registration ID of your business.",
    "MID": "Mailer ID of nine digits that tracking numbers carry.",
    "mailer_id": "Mailer ID that tracking numbers carry.",
    "customer_registration_id": "Customer Registration ID of your business.",
    "logistics_manager_mailer_id": "Mailer ID of whoever manages your logistics.",
    "toll_username": "User name of the older interface.",
    "toll_password": "Password of the older interface.",
    "my_toll_token": "Token of MyToll, for rates.",
    "my_toll_identity": "Identity of MyToll, for rates.",
    "account_code": "Code of your account, to which the carrier bills.",
    "sscc_count": "Where your range of piece numbers (SSCC) begins.",
    "shipment_count": "Where your range of shipment numbers begins.",
}
