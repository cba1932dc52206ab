"""Teaches the emulated account how AWS keeps, imports and deletes what holds data: tables, secrets and buckets."""

from ministack.services import dynamodb, s3
from ministack.services.cloudformation import changesets, provisioners

handlers = provisioners._RESOURCE_HANDLERS


def kept_data_can_be_imported():
    """Kept tables and secrets can be brought into a new stack, as `cdk import` does."""
    tables = changesets._IMPORT_LOOKUPS["AWS::DynamoDB::Table"]
    changesets._IMPORT_LOOKUPS["AWS::DynamoDB::GlobalTable"] = tables
    handlers["AWS::DynamoDB::GlobalTable"]["import"] = provisioners._ddb_import
    changesets._IMPORT_LOOKUPS["AWS::SecretsManager::Secret"] = (("Id",), lambda id: None)
    handlers["AWS::SecretsManager::Secret"]["import"] = lambda named: (
        named["Id"],
        {"Arn": named["Id"], "Id": named["Id"]},
    )


def tables_are_made_as_their_template_says():
    """Items expire, and a table has point-in-time recovery, where a template says so."""
    table = handlers["AWS::DynamoDB::GlobalTable"]
    create = table["create"]

    def created(logical_id, props, stack_name):
        id, attributes = create(logical_id, props, stack_name)
        specifications = [each.get("PointInTimeRecoverySpecification", {}) for each in props.get("Replicas", [])]
        enabled = [str(each.get("PointInTimeRecoveryEnabled", False)).lower() == "true" for each in specifications]
        dynamodb._pitr_settings[id] = any(enabled)
        if "TimeToLiveSpecification" in props:
            dynamodb._update_ttl({"TableName": id, "TimeToLiveSpecification": props["TimeToLiveSpecification"]})
        return id, attributes

    table["create"] = created


def buckets_carry_tags_and_end_empty():
    """A bucket has the tags of its template, which the emptier of a bucket relies on, and is deleted only when it is empty."""
    bucket = handlers["AWS::S3::Bucket"]
    create, update, delete = bucket["create"], bucket["update"], bucket["delete"]

    def tagged(result, props):
        s3._bucket_tags[result[0]] = {each["Key"]: each["Value"] for each in props.get("Tags", [])}
        return result

    def deleted(id, props):
        if (s3._buckets.get(id) or {}).get("objects"):
            raise ValueError(f"The bucket you tried to delete is not empty: {id} (Service: S3, Status Code: 409)")
        return delete(id, props)

    bucket["create"] = lambda logical_id, props, stack: tagged(create(logical_id, props, stack), props)
    bucket["update"] = lambda id, old, new, stack: tagged(update(id, old, new, stack), new)
    bucket["delete"] = deleted


def make_strict():
    kept_data_can_be_imported()
    tables_are_made_as_their_template_says()
    buckets_carry_tags_and_end_empty()
